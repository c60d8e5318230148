import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import {
  type Client,
  clientOf,
  openWorld,
  password,
  type Reply,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { sendDueMails } from '../../mail/send-due.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

let count = 0
const newEmail = () => `invited-${count++}-${crypto.randomUUID()}@example.com`
const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const secretIn = (url: string) => url.slice(url.indexOf('#') + 1)

type Sent = { id: string; email: string; url: string; expires_at: string }

async function invite(client: Client, more: object = {}): Promise<Sent> {
  const reply = await client.post('/invitations', { email: newEmail(), role: 'editor', ...more })
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return reply.json()
}

const accept = (url: string, more: object = {}) =>
  world.anonymous.post('/invitations/accept', {
    secret: secretIn(url),
    name: 'Grace',
    password,
    ...more,
  })

test('are found by words of the name and the address', async () => {
  const { owner } = await world.organization()
  const { id, email } = await invite(owner, { name: 'Zoë Müller' })
  const { id: nameless } = await invite(owner)
  const found = async (q: string) =>
    (await owner.get(`/invitations?q=${encodeURIComponent(q)}`)).json()
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
  for (const q of ['muller ZOE', email.slice(0, 30), id.slice(0, -1)])
    expect([q, idsOf(await found(q))]).toEqual([q, [id]])
  expect(idsOf(await found('example.com')).sort()).toEqual([id, nameless].sort())
  expect(await found('mulller')).toMatchObject({ data: [{ id }], meta: { search: 'similar' } })
})

describe('without mail', () => {
  test('the link is shown to the admin who asked, once, and makes a member who is logged in', async () => {
    const { owner, id } = await world.organization()
    const key = { 'idempotency-key': 'once' }
    const body = { email: newEmail().toUpperCase(), role: 'viewer', name: 'Grace' }
    const made = await owner.post('/invitations', body, key)
    expect(made.statusCode).toBe(201)
    expect(made.headers['cache-control']).toBe('no-store')
    expect(made.json()).toMatchObject({
      id: expect.stringMatching(/^inv_/),
      email: body.email.toLowerCase(),
      status: 'open',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/console\/join#[\w-]{43}$/),
    })
    const again = await owner.post('/invitations', body, key)
    expect(again.json()).toMatchObject({ id: made.json().id, url: null })
    const { url } = made.json()
    const joined = await accept(url)
    expect(joined.statusCode).toBe(201)
    expect(joined.json()).toMatchObject({
      token: expect.any(String),
      user: { email: body.email.toLowerCase(), role: 'viewer', name: 'Grace' },
      organization: { id },
    })
    const login = { email: body.email, password }
    expect((await world.anonymous.post('/auth/login', login)).statusCode).toBe(200)
    expect((await owner.get('/invitations')).json().data).toEqual([])
    const trail = (await owner.get('/audit_logs')).body + (await owner.get('/events')).body
    expect(trail).toContain('invitation.accepted')
    expect(trail).not.toContain(secretIn(url))
    expect(JSON.stringify(world.logged)).not.toContain(secretIn(url))
  })

  test('a scope goes along', async () => {
    const { owner } = await world.organization()
    const scope = { labels: ['emea'] }
    const { url } = await invite(owner, { scope })
    const { user } = (await accept(url)).json()
    expect((await owner.get(`/members/${user.id}`)).json().scope).toEqual(scope)
    const refused = await owner.post('/invitations', { email: newEmail(), role: 'admin', scope })
    expect(refused.json().errors).toMatchObject([{ code: 'scope_not_allowed' }])
  })
})

describe('a link', () => {
  test('works once, also for two at the same time', async () => {
    const { owner } = await world.organization()
    const { url } = await invite(owner)
    const replies = await Promise.all([accept(url), accept(url), accept(url)])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 410, 410])
    expect(codeOf(await accept(url))).toEqual([410, 'link_expired'])
    expect((await owner.get('/members?role=editor')).json().data).toHaveLength(1)
  })

  test('that was never made is 404, and guessing is slowed', async () => {
    const guess = (at: number) =>
      world.app.inject({
        method: 'POST',
        url: '/api/v1/invitations/accept',
        remoteAddress: '198.51.100.77',
        payload: { secret: `${at}`.padStart(43, 'A'), name: 'Eve', password },
      })
    const codes = []
    for (let at = 0; at < 32; at += 1) codes.push((await guess(at)).statusCode)
    expect(codes.slice(0, 30)).toEqual(Array(30).fill(404))
    expect(codes.slice(30)).toEqual([429, 429])
  })

  test('ends after seven days, when it is sent again, and when it is taken back', async () => {
    const { owner } = await world.organization()
    const first = await invite(owner)
    const second = (await owner.post(`/invitations/${first.id}/resend`)).json()
    expect(codeOf(await accept(first.url))).toEqual([410, 'link_expired'])
    expect((await owner.delete(`/invitations/${first.id}`)).statusCode).toBe(204)
    expect(codeOf(await accept(second.url))).toEqual([410, 'link_expired'])

    const own = await openWorld({ env: unlimited })
    try {
      const { owner: other } = await own.organization()
      const late = await invite(other)
      own.clock.advance(7 * 86_400_000 - 60_000)
      const secret = { secret: secretIn(late.url), name: 'Grace', password: 'short' }
      expect((await own.anonymous.post('/invitations/accept', secret)).statusCode).toBe(422)
      own.clock.advance(61_000)
      const reply = await own.anonymous.post('/invitations/accept', { ...secret, password })
      expect(codeOf(reply)).toEqual([410, 'link_expired'])
      // It does not stand in the way of a new one.
      const login = await own.anonymous.post('/auth/login', { email: other.email, password })
      const next = clientOf(own.app, { ...other, token: login.json().token })
      const again = await next.post('/invitations', { email: late.email, role: 'viewer' })
      expect(again.statusCode).toBe(201)
      const { data } = (await next.get('/invitations')).json()
      expect(data).toMatchObject([{ id: again.json().id, status: 'open' }])
    } finally {
      await own.close()
    }
  })

  test('to set a password is none to join', async () => {
    const { owner, as } = await world.organization()
    const viewer = await as('viewer')
    const { url } = (await owner.post(`/members/${viewer.userId}/password_reset`)).json()
    expect((await accept(url)).statusCode).toBe(404)
  })

  test('ends when the inviter loses the right or is disabled or deleted', async () => {
    const { owner, as } = await world.organization()
    for (const change of [
      (id: string) => owner.put(`/members/${id}`, { role: 'editor' }),
      (id: string) => owner.put(`/members/${id}`, { disabled: true }),
      (id: string) => owner.delete(`/members/${id}`),
    ]) {
      const admin = await as('admin')
      const { url } = await invite(admin)
      expect((await change(admin.userId)).statusCode).toBeLessThan(300)
      expect(codeOf(await accept(url))).toEqual([410, 'link_expired'])
      expect((await owner.get('/invitations')).json().data).toEqual([])
    }
    const second = await as('owner')
    const [keeps, loses] = [await invite(second), await invite(second, { role: 'owner' })]
    await owner.put(`/members/${second.userId}`, { role: 'admin' })
    expect(codeOf(await accept(loses.url))).toEqual([410, 'link_expired'])
    expect((await accept(keeps.url)).statusCode).toBe(201)
  })
})

describe('who may invite', () => {
  test('admins, but owners only by owners; keys and others never', async () => {
    const { owner, as } = await world.organization()
    const admin = await as('admin')
    const body = () => ({ email: newEmail(), role: 'owner' })
    const refused = await admin.post('/invitations', body())
    expect([refused.statusCode, refused.json().required_roles]).toEqual([403, ['owner']])
    const { id } = await invite(owner, { role: 'owner' })
    expect((await admin.post(`/invitations/${id}/resend`)).statusCode).toBe(403)
    expect((await admin.delete(`/invitations/${id}`)).statusCode).toBe(403)
    expect((await (await as('editor')).post('/invitations', body())).statusCode).toBe(403)
    const denied = (await owner.get('/audit_logs?outcome=denied&action=invitation.*')).json().data
    expect(denied.map(({ action }: { action: string }) => action)).toEqual([
      'invitation.created',
      'invitation.deleted',
      'invitation.resent',
      'invitation.created',
    ])
  })

  test('no one invites a known address, nor one address twice', async () => {
    const { owner, as } = await world.organization()
    const viewer = await as('viewer')
    const known = { email: viewer.email, role: 'viewer' }
    expect(codeOf(await owner.post('/invitations', known))).toEqual([409, 'email_taken'])
    const { email, url } = await invite(owner)
    const twice = { email: email.toUpperCase(), role: 'viewer' }
    expect(codeOf(await owner.post('/invitations', twice))).toEqual([409, 'email_taken'])
    const { owner: other } = await world.organization()
    await invite(other, { email })
    expect((await accept(url)).statusCode).toBe(201)
  })

  test('invitations of another organization are missing ones', async () => {
    const [{ owner }, { owner: stranger }] = [
      await world.organization(),
      await world.organization(),
    ]
    const { id } = await invite(owner)
    expect((await stranger.get(`/invitations/${id}`)).statusCode).toBe(404)
    expect((await stranger.post(`/invitations/${id}/resend`)).statusCode).toBe(404)
    expect((await stranger.delete(`/invitations/${id}`)).statusCode).toBe(404)
  })
})

describe('a flood', () => {
  test('ends at 100 open invitations', async () => {
    const { owner } = await world.organization()
    for (let at = 0; at < 100; at += 1) await invite(owner)
    const body = { email: newEmail(), role: 'viewer' }
    const reply = await owner.post('/invitations', body)
    expect([codeOf(reply), reply.json().limit]).toEqual([[409, 'limit_exceeded'], 100])
  })

  test('ends at 200 a day, those sent again included', async () => {
    const { owner } = await world.organization()
    const { id } = await invite(owner)
    for (let at = 1; at < 200; at += 1) await owner.post(`/invitations/${id}/resend`)
    const reply = await owner.post(`/invitations/${id}/resend`)
    expect([codeOf(reply), reply.json().limit]).toEqual([[409, 'limit_exceeded'], 200])
  })
})

describe('with mail', () => {
  let server: MailServer
  let mailing: OwnWorld
  beforeAll(async () => {
    server = await openMailServer()
    mailing = await openOwnWorld({ env: { ...unlimited, ...mailSettings(server) } })
  })
  afterAll(async () => {
    await mailing.close()
    await server.close()
  })

  test('the link is mailed and never shown; its address is the public URL, whatever the host says', async () => {
    const { owner } = await mailing.organization({ name: 'Acme https://evil.example' })
    expect((await owner.get('/organization')).json().mail).toBe(true)
    const email = newEmail()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const reply = await owner.post('/invitations', { email, role: 'admin' }, headers)
    expect(reply.json().url).toBeNull()
    await sendDueMails(mailing.services, AbortSignal.timeout(10_000))
    const [mail] = server.mails
    expect(mail?.to).toEqual([email])
    expect(mail?.text).toContain('as an admin')
    const links = mail?.text.match(/https?:\/\/\S+/g)
    expect(links).toEqual([
      expect.stringMatching(/^https:\/\/flightdeck\.example\.com\/console\/join#/),
    ])
    expect(mail?.raw).not.toMatch(/evil\.example/)
    const [url = ''] = links ?? []
    const body = { secret: secretIn(url), name: 'Grace', password }
    expect((await mailing.anonymous.post('/invitations/accept', body)).statusCode).toBe(201)
  })
})
