import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { watch } from '../support/documented.ts'
import {
  type Client,
  clientOf,
  openWorld,
  password,
  type Reply,
  type TestOrganization,
  type World,
} from '../support/world.ts'

/** Two replicas that share a clock and a database. */
let one: World
let other: World

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  one = watch(await openWorld())
  other = watch(await openWorld({ clock: one.clock }))
})
afterAll(async () => {
  await one.close()
  await other.close()
  vi.useRealTimers()
})

const seconds = 1000
const hours = 3600 * seconds
const onOther = (client: Client) => clientOf(other.app, client)
const withToken = (client: Client, token: string) => clientOf(one.app, { ...client, token })
const status = async (client: Client) => (await client.get('/auth/me')).statusCode

async function codeOf(asked: Promise<Reply>): Promise<string> {
  const reply = await asked
  return reply.statusCode < 300 ? String(reply.statusCode) : reply.json().code
}

/** Replaces the token; the answer is a client with the new one. */
async function refreshed(client: Client): Promise<Client> {
  const reply = await client.post('/auth/refresh')
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return withToken(client, reply.json().token)
}

async function actionsOf(organization: TestOrganization): Promise<string[]> {
  const auditor = await organization.as('auditor')
  const { data } = (await auditor.get('/audit_logs?action=auth.*&limit=100')).json()
  return data
    .filter(({ actor }: { actor: { id: string } }) => actor.id !== auditor.userId)
    .map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`)
}

/** Replicas may be this late to learn of changes, in the process's time. */
const aSecondLater = () => vi.advanceTimersByTime(1_000)

describe('a token', () => {
  test('is valid for 24 hours, to the second', async () => {
    const { owner } = await one.organization()
    const reply = await owner.post('/auth/refresh')
    const client = withToken(owner, reply.json().token)
    const left = Date.parse(reply.json().expires_at) - one.clock.now().getTime()
    expect(left).toBeGreaterThan(24 * hours - seconds)
    expect(left).toBeLessThanOrEqual(24 * hours)
    one.clock.advance(left - 1)
    expect(await status(client)).toBe(200)
    one.clock.advance(1)
    expect(await codeOf(client.get('/auth/me'))).toBe('token_expired')
    expect(await codeOf(client.post('/auth/refresh'))).toBe('token_expired')
  })

  test('that was refreshed works for 60 more seconds, as does the new one', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const next = await refreshed(owner)
    expect(next.token).not.toBe(owner.token)
    one.clock.advance(59 * seconds)
    expect([await status(owner), await status(next)]).toEqual([200, 200])
    one.clock.advance(seconds)
    expect(await codeOf(owner.get('/auth/me'))).toBe('token_revoked')
    expect(await status(next)).toBe(200)
    expect(await actionsOf(organization)).toEqual([
      'auth.refreshed success',
      'auth.login_succeeded success',
    ])
  })

  test('refreshed many times at once, on two replicas, has one successor', async () => {
    const { owner } = await one.organization()
    const clients = [owner, onOther(owner)]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (clients[at % 2] as Client).post('/auth/refresh')),
    )
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.json().token)).size).toBe(1)
  })

  test('refreshed again within the 60 seconds gives the same successor', async () => {
    const { owner } = await one.organization()
    const next = await refreshed(owner)
    one.clock.advance(30 * seconds)
    expect((await refreshed(owner)).token).toBe(next.token)
    expect(await status(next)).toBe(200)
  })

  test('that was replaced long ago ends its session when it is refreshed', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const next = await refreshed(owner)
    one.clock.advance(61 * seconds)
    const stolen = await owner.post('/auth/refresh')
    expect([stolen.statusCode, stolen.json().code]).toEqual([401, 'token_revoked'])
    expect(await codeOf(next.get('/auth/me'))).toBe('token_revoked')
    expect(await codeOf(next.post('/auth/refresh'))).toBe('token_revoked')
    expect((await actionsOf(organization))[0]).toBe('auth.refresh_reuse_detected denied')
  })

  test('that was replaced long ago is refused, and ends nothing otherwise', async () => {
    const { owner } = await one.organization()
    const next = await refreshed(owner)
    one.clock.advance(61 * seconds)
    for (const reply of [owner.get('/campaigns'), owner.delete('/auth/logout')]) {
      expect(await codeOf(reply)).toBe('token_revoked')
    }
    expect(await status(next)).toBe(200)
  })

  test('works for its 60 seconds, however often the session is refreshed meanwhile', async () => {
    const { owner } = await one.organization()
    const second = await refreshed(owner)
    one.clock.advance(2 * seconds)
    const third = await refreshed(second)
    one.clock.advance(2 * seconds)
    const all = [owner, second, third, onOther(owner)]
    for (const client of all) expect(await status(client)).toBe(200)
    expect((await refreshed(owner)).token).toBe(third.token)
    one.clock.advance(56 * seconds - 1)
    expect(await status(owner)).toBe(200)
    one.clock.advance(1)
    expect(await codeOf(owner.get('/auth/me'))).toBe('token_revoked')
    expect([await status(second), await status(third)]).toEqual([200, 200])
    one.clock.advance(2 * seconds)
    expect(await codeOf(second.get('/auth/me'))).toBe('token_revoked')
    expect(await status(third)).toBe(200)
  })

  test('two generations behind is treated as stolen only after its 60 seconds', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const second = await refreshed(owner)
    one.clock.advance(30 * seconds)
    const third = await refreshed(second)
    one.clock.advance(30 * seconds)
    expect((await refreshed(second)).token).toBe(third.token)
    expect(await codeOf(owner.post('/auth/refresh'))).toBe('token_revoked')
    expect(await codeOf(third.get('/auth/me'))).toBe('token_revoked')
    expect((await actionsOf(organization))[0]).toBe('auth.refresh_reuse_detected denied')
  })

  test('refreshed continuously is replaced thirty times a minute, and every token works in full', async () => {
    const { owner } = await one.organization()
    const chain = [owner]
    for (let at = 0; at < 35; at += 1) chain.push(await refreshed(chain.at(-1) as Client))
    expect(new Set(chain.map(({ token }) => token)).size).toBe(31)
    for (const client of chain) expect(await status(client)).toBe(200)
    one.clock.advance(60 * seconds)
    const last = chain.at(-1) as Client
    expect(await codeOf(owner.get('/auth/me'))).toBe('token_revoked')
    expect((await refreshed(last)).token).not.toBe(last.token)
  })

  test('of a repeated refresh stays hidden, and its expiry is unchanged', async () => {
    const { owner } = await one.organization()
    const again = () => owner.post('/auth/refresh', undefined, { 'idempotency-key': 'renewal' })
    const first = await again()
    one.clock.advance(5 * seconds)
    const replay = await again()
    expect(replay.headers['idempotency-replayed']).toBe('true')
    expect(replay.json()).toEqual({ ...first.json(), token: null })
  })

  test('is not renewed beyond its session’s 30 days', async () => {
    const { owner } = await one.organization()
    let client = owner
    for (let day = 0; day < 30; day += 1) {
      one.clock.advance(24 * hours - 10 * seconds)
      client = await refreshed(client)
    }
    one.clock.advance(300 * seconds)
    expect(await codeOf(client.get('/auth/me'))).toBe('session_expired')
    expect(await codeOf(client.post('/auth/refresh'))).toBe('session_expired')
  })
})

describe('a session', () => {
  test('that ends here has ended on the other replica within a second', async () => {
    const { owner } = await one.organization()
    const there = onOther(owner)
    expect(await status(there)).toBe(200)
    expect((await owner.delete('/auth/logout')).statusCode).toBe(204)
    expect(await codeOf(owner.get('/auth/me'))).toBe('token_revoked')
    aSecondLater()
    expect(await status(there)).toBe(401)
  })

  test('ends with all its tokens, and no other session', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const reply = await one.anonymous.post('/auth/login', { email: owner.email, password })
    const elsewhere = withToken(owner, reply.json().token)
    const next = await refreshed(owner)
    await next.delete('/auth/logout')
    expect([await status(owner), await status(next)]).toEqual([401, 401])
    expect(await status(elsewhere)).toBe(200)
  })

  test('ends with all the user’s others on request', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const reply = await one.anonymous.post('/auth/login', { email: owner.email, password })
    const elsewhere = withToken(owner, reply.json().token)
    const colleague = await organization.as('owner')
    expect((await owner.delete('/auth/logout?all=true')).statusCode).toBe(204)
    expect([await status(owner), await status(elsewhere)]).toEqual([401, 401])
    expect(await status(colleague)).toBe(200)
  })

  test('stays open after a dry run of its deletion; the password stays after a dry run too', async () => {
    const { owner } = await one.organization()
    const { data } = (await owner.get('/auth/sessions')).json()
    const ended = await owner.delete(`/auth/sessions/${data[0].id}?validate_only=true`)
    expect([ended.statusCode, ended.json()]).toEqual([200, { ...data[0], warnings: [] }])
    const change = (current_password: string, query: string) =>
      owner.post(`/auth/password${query}`, {
        current_password,
        new_password: 'quite another pass phrase',
      })
    const changed = await change(password, '?validate_only=true')
    expect([changed.statusCode, changed.json()]).toEqual([200, { warnings: [] }])
    expect(await codeOf(change('a wrong one', '?validate_only=true'))).toBe('invalid_credentials')
    expect(await codeOf(change(password, ''))).toBe('204')
    expect(await codeOf(owner.delete('/auth/logout?validate_only=true'))).toBe('unknown_parameter')
    expect(await codeOf(owner.post('/auth/refresh?validate_only=true'))).toBe('unknown_parameter')
  })

  test('is listed for its user, who can end it; other users cannot', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const reply = await one.anonymous.post('/auth/login', { email: owner.email, password })
    const elsewhere = withToken(owner, reply.json().token)
    const { data } = (await owner.get('/auth/sessions')).json()
    expect(data.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true])
    const made = String(data[0].created_at)
    const found = async (query: string) =>
      (await owner.get(`/auth/sessions?${query}=${made}`)).json().data.length
    expect([await found('created_after'), await found('created_before')]).toEqual([2, 0])
    const colleague = await organization.as('owner')
    const id = reply.json().session_id
    expect((await colleague.delete(`/auth/sessions/${id}`)).statusCode).toBe(404)
    expect((await owner.delete(`/auth/sessions/${id}`)).statusCode).toBe(204)
    expect((await owner.delete(`/auth/sessions/${id}`)).statusCode).toBe(404)
    expect([await status(owner), await status(elsewhere)]).toEqual([200, 401])
  })
})

describe('a user', () => {
  test('whose role changes has the new one at the next request, and soon elsewhere', async () => {
    const organization = await one.organization()
    const editor = await organization.as('editor')
    const there = onOther(editor)
    expect((await there.post('/templates', { name: 'A' })).statusCode).toBe(201)
    await organization.owner.patch(`/members/${editor.userId}`, { role: 'viewer' })
    expect((await editor.post('/templates', { name: 'B' })).statusCode).toBe(403)
    aSecondLater()
    expect((await there.post('/templates', { name: 'C' })).statusCode).toBe(403)
    expect((await there.get('/templates')).statusCode).toBe(200)
  })

  test('who is disabled or deleted is locked out at once, and soon elsewhere', async () => {
    const organization = await one.organization()
    const disabled = await organization.as('editor')
    const deleted = await organization.as('editor')
    for (const client of [disabled, deleted]) expect(await status(onOther(client))).toBe(200)
    await organization.owner.patch(`/members/${disabled.userId}`, { disabled: true })
    await organization.owner.delete(`/members/${deleted.userId}`)
    for (const client of [disabled, deleted]) {
      expect(await codeOf(client.get('/auth/me'))).toBe('token_revoked')
      aSecondLater()
      expect(await status(onOther(client))).toBe(401)
    }
    await organization.owner.patch(`/members/${disabled.userId}`, { disabled: false })
    expect(await status(disabled)).toBe(401)
  })

  test('gets all faults of a new password together with all others', async () => {
    const { owner } = await one.organization()
    const body = { current_password: password, new_password: 'short', extra: 1 }
    const { errors } = (await owner.post('/auth/password', body)).json()
    const reported = errors.map((each: { pointer: string; code: string }) => [
      each.pointer,
      each.code,
    ])
    expect(reported.sort()).toEqual([
      ['/extra', 'unknown_field'],
      ['/new_password', 'too_short'],
    ])
  })

  test('who changes the password keeps this session and loses the others', async () => {
    const { owner } = await one.organization()
    const reply = await one.anonymous.post('/auth/login', { email: owner.email, password })
    const elsewhere = withToken(owner, reply.json().token)
    const change = (current_password: string, new_password: string) =>
      owner.post('/auth/password', { current_password, new_password })
    const chosen = 'a horse of another colour'
    expect(await codeOf(change('not the password', chosen))).toBe('invalid_credentials')
    expect(await codeOf(change(password, 'short'))).toBe('validation_failed')
    expect(await codeOf(change(password, 'password1234'))).toBe('validation_failed')
    expect(await status(elsewhere)).toBe(200)
    expect((await change(password, chosen)).statusCode).toBe(204)
    expect([await status(owner), await status(elsewhere)]).toEqual([200, 401])
    const login = (text: string) =>
      one.anonymous.post('/auth/login', { email: owner.email, password: text })
    expect(await codeOf(login(password))).toBe('invalid_credentials')
    expect(await codeOf(login(chosen))).toBe('200')
  })
})

test('answers about logins are not cacheable', async () => {
  const { owner } = await one.organization()
  const login = { email: owner.email, password }
  const { session_id } = (await one.anonymous.post('/auth/login', login)).json()
  const replies = [
    await one.anonymous.post('/auth/login', login),
    await owner.get('/auth/me'),
    await owner.get('/auth/sessions'),
    await owner.delete(`/auth/sessions/${session_id}`),
    await owner.post('/auth/password', { current_password: password, new_password: password }),
    await owner.post('/auth/refresh'),
    await owner.delete('/auth/logout'),
  ]
  for (const { statusCode, headers } of replies) {
    expect([statusCode < 300, headers['cache-control']]).toEqual([true, 'no-store'])
  }
})
