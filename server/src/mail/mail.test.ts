import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import { readConfig } from '../config/config.ts'
import { audited } from '../kernel/change.ts'
import { type Letter, nameInMail } from './letter.ts'
import { postMail } from './post.ts'
import { sendDueMails } from './send-due.ts'

let world: OwnWorld
let server: MailServer

beforeAll(async () => {
  server = await openMailServer()
  world = await openOwnWorld({ env: mailSettings(server) })
})
afterEach(async () => {
  server.answer = 'taken'
  server.mails.length = 0
  await world.database.query('delete from mails')
})
afterAll(async () => {
  await world.close()
  await server.close()
})

const letter: Letter = {
  subject: 'Something happened',
  lines: ['Ada did it.'],
  link: { name: 'Look', url: 'https://flightdeck.example.com/console/x#y' },
  remarks: ['Nothing has to be done.'],
}

async function post(to: string, more: Partial<Letter> = {}, canWait = false): Promise<void> {
  const { ctx } = await world.organization()
  const resource = { type: 'user', id: null, name: null }
  await audited(ctx, { action: 'auth.tested', resource }, async (ctx) =>
    postMail(ctx, { to, letter: { ...letter, ...more } }, { canWait }),
  )
}

const sendAll = () => sendDueMails(world.services, AbortSignal.timeout(60_000))
const waiting = () =>
  world.database.query<{ content: string; attempts: number; due_at: Date }>(
    'select content, attempts, due_at from mails',
  )

describe('a mail', () => {
  test('waits sealed, is sent as text and HTML, and is then removed', async () => {
    await post('grace@example.com')
    const [row] = await waiting()
    expect(row?.content).not.toMatch(/grace|Something|console/)
    await sendAll()
    expect(await waiting()).toEqual([])
    const [mail] = server.mails
    expect(mail?.to).toEqual(['grace@example.com'])
    expect(mail?.headers.get('subject')).toEqual(['Something happened'])
    expect(mail?.headers.get('from')).toEqual(['Flightdeck <flightdeck@example.com>'])
    expect(mail?.text).toContain('Ada did it.')
    expect(mail?.html).toContain('Ada did it.')
    for (const part of [mail?.text, mail?.html])
      expect(part?.match(/https?:\/\/[^\s"<]+/g)).toEqual([letter.link?.url])
    expect(mail?.html).not.toMatch(/<img|src=|url\(|<script/)
  })

  test('has no header that a subject or name brings, and one recipient', async () => {
    const evil = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody\u2028x'
    await post('grace@example.com', { subject: evil, lines: [evil] })
    await sendAll()
    expect(server.mails.map(({ to }) => to)).toEqual([['grace@example.com']])
    expect([...(server.mails[0]?.headers.keys() ?? [])]).not.toContain('bcc')
    expect(server.mails[0]?.headers.get('subject')).toHaveLength(1)
  })

  test('names make no link, no lines, and are cut', () => {
    const name = nameInMail(`See https://evil.example/x now\n${'y'.repeat(300)}`)
    expect(name).not.toMatch(/:\/\/|evil\.example|\n/)
    expect([...name].length).toBeLessThan(100)
    expect(nameInMail('Acme & Co.')).toBe('Acme & Co.')
  })

  test('is escaped in HTML', async () => {
    await post('grace@example.com', { lines: ['<b onclick="x">Acme</b>'] })
    await sendAll()
    expect(server.mails[0]?.html).toContain('&lt;b onclick=&quot;x&quot;&gt;')
  })
})

describe('what cannot be sent', () => {
  test('is tried again, later each time, and goes after a day', async () => {
    server.answer = 451
    await post('grace@example.com')
    await sendAll()
    const [first] = await waiting()
    expect(first?.attempts).toBe(1)
    await sendAll()
    expect((await waiting())[0]?.attempts).toBe(1)
    world.clock.advance(31_000)
    await sendAll()
    expect((await waiting())[0]?.attempts).toBe(2)
    expect(JSON.stringify(world.logged)).not.toContain('grace')
    server.answer = 'taken'
    world.clock.advance(3_700_000)
    await sendAll()
    expect(server.mails).toHaveLength(1)

    server.answer = 451
    await post('late@example.com')
    world.clock.advance(24 * 3_600_000 + 1)
    await sendAll()
    expect(await waiting()).toEqual([])
  })

  test('is dropped where the server knows no such recipient', async () => {
    server.answer = 550
    await post('unknown@example.com')
    await sendAll()
    expect(await waiting()).toEqual([])
  })

  test('or opened, keeps no other from being sent', async () => {
    await post('damaged@example.com')
    await world.database.query(`update mails set content = 'damaged'`)
    await post('grace@example.com')
    await sendAll()
    expect(server.mails.map(({ to: [to] }) => to)).toEqual(['grace@example.com'])
    expect((await waiting())[0]?.attempts).toBe(1)
  })

  test('is given up after ten seconds', { timeout: 30_000 }, async () => {
    server.answer = 'never'
    await post('grace@example.com')
    const begun = performance.now()
    await sendAll()
    expect(performance.now() - begun).toBeLessThan(13_000)
    expect((await waiting())[0]?.attempts).toBe(1)
  })

  test('and can wait gives way to what someone waits for, and is held back alone', async () => {
    for (let at = 0; at < 15; at += 1) await post('busy@example.com', {}, true)
    for (let at = 0; at < 10; at += 1) await post(`reader-${at}@example.com`, {}, true)
    const sending = sendAll()
    await expect.poll(() => server.mails.length).toBeGreaterThan(1)
    await post('grace@example.com')
    await sending
    const sent = server.mails.map(({ to: [to] }) => to)
    expect(sent.indexOf('grace@example.com')).toBeLessThan(10)
    // The same poll sends the others too.
    expect(sent).toHaveLength(12 + 10 + 1)
  })

  test('is held back over twenty an hour to one address', async () => {
    for (let at = 0; at < 22; at += 1) await post('flooded@example.com')
    await post('other@example.com')
    for (let poll = 0; poll < 3; poll += 1) await sendAll()
    const sent = server.mails.map(({ to: [to] }) => to)
    expect(sent.filter((to) => to === 'flooded@example.com')).toHaveLength(20)
    expect(sent).toContain('other@example.com')
    const held = await waiting()
    expect(held.map(({ attempts }) => attempts)).toEqual([0, 0])
    for (const { due_at } of held)
      expect(Date.parse(`${due_at}`)).toBeGreaterThan(world.clock.now().getTime())
  })
})

describe('the settings', () => {
  const { FLIGHTDECK_SMTP_URL: _, ...others } = {
    FLIGHTDECK_SMTP_URL: '',
    FLIGHTDECK_MAIL_FROM: 'a@example.com',
    FLIGHTDECK_PUBLIC_URL: 'https://x.example',
  }
  const read = (env: Record<string, string>) => () => readConfig({ ...others, ...env })

  test('are refused where they would not work', () => {
    for (const url of ['http://x', 'smtp://', 'smtp://x/path', 'smtp://x?y', 'mail'])
      expect(read({ FLIGHTDECK_SMTP_URL: url })).toThrow(/SMTP_URL/)
    for (const from of ['x', 'A <b>', 'a@b\r\nBcc: c@d', 'a@b, c@d'])
      expect(read({ FLIGHTDECK_MAIL_FROM: from })).toThrow(/MAIL_FROM/)
    const url = 'smtps://user:p%40ss@mail.example.com'
    for (const name of ['FLIGHTDECK_MAIL_FROM', 'FLIGHTDECK_PUBLIC_URL'])
      expect(read({ FLIGHTDECK_SMTP_URL: url, [name]: '' })).toThrow(/needs/)
    expect(read({ FLIGHTDECK_SMTP_URL: url })().mail).toEqual({
      url,
      from: { name: '', address: 'a@example.com' },
    })
    expect(read({})().mail).toBeNull()
  })
})
