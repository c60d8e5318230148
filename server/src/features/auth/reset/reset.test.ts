import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import {
  openWorld,
  password,
  type Reply,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'
import { sendDueMails } from '../../../mail/send-due.ts'

let server: MailServer
let world: OwnWorld
let silent: World

beforeAll(async () => {
  server = await openMailServer()
  world = await openOwnWorld({ env: { ...unlimited, ...mailSettings(server) } })
  silent = await openWorld({ env: unlimited })
})
afterAll(async () => {
  await world.close()
  await silent.close()
  await server.close()
})

let address = 0
/** Each from an address of its own, as one address may ask ten times a minute. */
const forgotten = (email: string, to: World = world, headers: Record<string, string> = {}) => {
  address += 1
  return to.app.inject({
    method: 'POST',
    url: '/api/v1/auth/password/forgotten',
    remoteAddress: `198.51.${Math.floor(address / 250)}.${(address % 250) + 1}`,
    headers,
    payload: { email },
  })
}

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const next = 'quite another pass phrase'
const reset = (secret: string, to: World = world) =>
  to.anonymous.post('/auth/password/reset', { secret, password: next })
const secretIn = (url: string) => url.slice(url.indexOf('#') + 1)

const mailsTo = async (email: string, count: number) => {
  const found = () => server.mails.filter(({ to }) => to.includes(email))
  await expect
    .poll(async () => {
      await sendDueMails(world.services, AbortSignal.timeout(10_000))
      return found().length
    })
    .toBe(count)
  return found()
}

const linkIn = (text = '') => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

describe('a forgotten password', () => {
  test('is set anew by a link, which ends all sessions, and the person hears of it', async () => {
    const { as, owner } = await world.organization()
    const user = await as('editor')
    const reply = await forgotten(` ${user.email.toUpperCase()}`, world, { host: 'evil.example' })
    expect([reply.statusCode, reply.json()]).toEqual([202, { status: 'accepted' }])
    const [mail] = await mailsTo(user.email, 1)
    const url = linkIn(mail?.text)
    expect(url).toMatch(/^https:\/\/flightdeck\.example\.com\/console\/reset#[\w-]{43}$/)
    expect((await reset(secretIn(url))).statusCode).toBe(204)
    expect((await user.get('/auth/me')).statusCode).toBe(401)
    const login = (text: string) =>
      world.anonymous.post('/auth/login', { email: user.email, password: text })
    expect((await login(password)).statusCode).toBe(401)
    expect((await login(next)).statusCode).toBe(200)
    const [, notice] = await mailsTo(user.email, 2)
    expect(notice?.headers.get('subject')).toEqual(['Your Flightdeck password was changed'])
    expect(codeOf(await reset(secretIn(url)))).toEqual([410, 'link_expired'])
    const trail = (await owner.get('/audit_logs')).body
    expect(trail).toContain('auth.password_reset_requested')
    expect(trail).not.toContain(secretIn(url))
    expect(JSON.stringify(world.logged)).not.toContain(secretIn(url))
  })

  test('is answered the same for every address, with mail and without', async () => {
    const { owner, as } = await world.organization()
    const disabled = await as('viewer')
    await owner.put(`/members/${disabled.userId}`, { disabled: true })
    const replies = [
      await forgotten(owner.email),
      await forgotten(disabled.email),
      await forgotten('unknown@example.com'),
      await forgotten('no address'),
      await forgotten(owner.email, silent),
    ]
    for (const reply of replies)
      expect([reply.statusCode, reply.json()]).toEqual([202, { status: 'accepted' }])
    await mailsTo(owner.email, 1)
    await mailsTo(disabled.email, 0)
  })

  test('takes the same time whether the address is known', async () => {
    const { owner } = await world.organization()
    const timeOf = async (email: string) => {
      const begun = performance.now()
      await forgotten(email)
      return performance.now() - begun
    }
    await timeOf(owner.email)
    // In turns, as the machine may be slower for a while.
    const taken: [known: number, unknown: number][] = []
    for (let at = 0; at < 40; at += 1)
      taken.push([await timeOf(owner.email), await timeOf('unknown@example.com')])
    const middle = (times: number[]) => times.sort((a, b) => a - b)[20] ?? 0
    const [known, unknown] = [
      middle(taken.map(([one]) => one)),
      middle(taken.map(([, one]) => one)),
    ]
    expect(Math.abs(known - unknown)).toBeLessThan(5)
  })

  test('has at most five links an hour for an account, and ten requests a minute by address', async () => {
    const { as } = await world.organization()
    const user = await as('viewer')
    for (let at = 0; at < 8; at += 1) {
      await forgotten(user.email)
      await mailsTo(user.email, Math.min(5, at + 1))
    }
    const url = '/api/v1/auth/password/forgotten'
    const ask = () =>
      world.app.inject({
        method: 'POST',
        url,
        remoteAddress: '203.0.113.9',
        payload: { email: 'unknown@example.com' },
      })
    const codes = []
    for (let at = 0; at < 11; at += 1) codes.push((await ask()).statusCode)
    expect(codes).toEqual([...Array(10).fill(202), 429])
  })

  test('has one link at a time, for thirty minutes', async () => {
    const { as } = await world.organization()
    const user = await as('viewer')
    await forgotten(user.email)
    const [first] = await mailsTo(user.email, 1)
    await forgotten(user.email)
    const [, second] = await mailsTo(user.email, 2)
    expect(codeOf(await reset(secretIn(linkIn(first?.text))))).toEqual([410, 'link_expired'])
    world.clock.advance(30 * 60_000 + 1_000)
    expect(codeOf(await reset(secretIn(linkIn(second?.text))))).toEqual([410, 'link_expired'])
    expect(codeOf(await reset('A'.repeat(43)))).toEqual([404, 'not_found'])
  })

  test('has no link any more once the password is changed', async () => {
    const { owner } = await world.organization()
    await forgotten(owner.email)
    const [mail] = await mailsTo(owner.email, 1)
    const change = { current_password: password, new_password: 'a third pass phrase' }
    expect((await owner.post('/auth/password', change)).statusCode).toBe(204)
    expect(codeOf(await reset(secretIn(linkIn(mail?.text))))).toEqual([410, 'link_expired'])
  })

  test('of someone disabled meanwhile stays', async () => {
    const { as, owner } = await world.organization()
    const user = await as('viewer')
    await forgotten(user.email)
    const [mail] = await mailsTo(user.email, 1)
    await owner.put(`/members/${user.userId}`, { disabled: true })
    expect(codeOf(await reset(secretIn(linkIn(mail?.text))))).toEqual([410, 'link_expired'])
  })
})

describe('an admin', () => {
  test('has a link mailed, or is shown it where there is no mail', async () => {
    const mailed = await world.organization()
    const user = await mailed.as('viewer')
    const admin = await mailed.as('admin')
    const path = `/members/${user.userId}/password_reset`
    expect((await admin.post(path)).json()).toMatchObject({ mailed: true, url: null })
    const [mail] = await mailsTo(user.email, 1)
    expect(mail?.text).toContain('admin user asks you to set a new password')

    const { owner, as } = await silent.organization()
    const viewer = await as('viewer')
    const key = { 'idempotency-key': 'once' }
    const shown = `/members/${viewer.userId}/password_reset`
    const reply = await owner.post(shown, undefined, key)
    expect(reply.json()).toMatchObject({ mailed: false, url: expect.stringMatching(/\/reset#/) })
    expect((await owner.post(shown, undefined, key)).json().url).toBeNull()
    expect((await reset(secretIn(reply.json().url), silent)).statusCode).toBe(204)
    expect((await viewer.get('/auth/me')).statusCode).toBe(401)
  })

  test('has none for who is disabled, and says so', async () => {
    const { owner, as } = await world.organization()
    const user = await as('editor')
    const path = `/members/${user.userId}`
    await owner.put(path, { disabled: true })
    const refused = await owner.post(`${path}/password_reset`)
    expect(codeOf(refused)).toEqual([409, 'invalid_state_transition'])
    expect(refused.json().current_status).toBe('disabled')
    await owner.put(path, { disabled: false })
    expect((await owner.post(`${path}/password_reset`)).json().mailed).toBe(true)
    expect(await mailsTo(user.email, 1)).toHaveLength(1)
  })

  test('resets no owner, and no one elsewhere', async () => {
    const { owner, as } = await silent.organization()
    const { owner: stranger } = await silent.organization()
    const admin = await as('admin')
    const path = `/members/${owner.userId}/password_reset`
    expect((await admin.post(path)).statusCode).toBe(403)
    expect((await stranger.post(path)).statusCode).toBe(404)
    expect((await (await as('editor')).post(path)).statusCode).toBe(403)
    expect((await owner.post(path)).statusCode).toBe(200)
  })
})

test('a changed password is mailed to the person', async () => {
  const { owner: user } = await world.organization()
  const reply = await user.post('/auth/password', {
    current_password: password,
    new_password: next,
  })
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  const [mail] = await mailsTo(user.email, 1)
  expect(mail?.text).toContain('with the password before')
})
