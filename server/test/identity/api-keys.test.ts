import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { setOrganization } from '../../src/features/organizations/organization.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { newApiKey } from '../../src/identity/api-key-text.ts'
import { may, type Role, roles, selfUse } from '../../src/identity/permissions.ts'
import { madeKey, withKey } from '../support/api-keys.ts'
import { missingPath } from '../support/cases/unknown-ids.ts'
import { endpoints, watch } from '../support/documented.ts'
import { listen, openStream } from '../support/event-stream.ts'
import { medianOf, msUntil } from '../support/machines/replica.ts'
import { type Client, openWorld, type Reply, type World } from '../support/world.ts'

/** Two replicas that share a clock and a database. */
let one: World
let other: World

beforeAll(async () => {
  const env = { FLIGHTDECK_PLAN_LIMITS: 'free=10,zion=1000000' }
  one = watch(await openWorld({ env }))
  other = watch(await openWorld({ env, clock: one.clock }))
})
afterAll(async () => {
  await one.close()
  await other.close()
})

const hour = 3_600_000
const ahead = (ms: number) => new Date(one.clock.now().getTime() + ms).toISOString()
const codeOf = (reply: Reply) =>
  reply.statusCode < 300 ? String(reply.statusCode) : reply.json().code
const asked = async (client: Client) => codeOf(await client.get('/organization'))

const isNoFault = (status: number) => status !== 401 && status < 500

const guarded = endpoints.flatMap((endpoint) =>
  endpoint.permission === null
    ? []
    : methodsOf(endpoint).map((method) => ({
        name: `${method} ${endpoint.path}`,
        method,
        url: missingPath(endpoint.path),
        permission: endpoint.permission ?? selfUse,
        needsSession: endpoint.needsSession,
        action: endpoint.action,
      })),
)

describe('a key may do what a member of its role may, except for logins, members and keys', () => {
  let keys: Record<string, Client>

  beforeAll(async () => {
    const { owner } = await one.organization()
    const made = await Promise.all(roles.map((role) => madeKey(one, owner, { role })))
    keys = Object.fromEntries(made.map(({ client }, at) => [roles[at], client]))
  })

  test.each(guarded)('$name', async ({ method, url, permission, needsSession, action }) => {
    for (const role of roles) {
      const reply = await (keys[role] as Client).call({ method, url })
      expect([role, reply.statusCode]).toEqual([role, expect.toSatisfy(isNoFault)])
      if (needsSession) expect([role, codeOf(reply)]).toEqual([role, 'session_required'])
      else expect([role, reply.statusCode === 403]).toEqual([role, !may(holder(role), permission)])
      if ((needsSession || permission.isForPeopleOnly) && action) await expectDenied(reply, action)
    }
  })

  const holder = (role: Role) => ({ actor: { type: 'api_key' }, role, makerRole: 'owner' as const })

  async function expectDenied(reply: Reply, action: string): Promise<void> {
    const id = reply.headers['x-request-id']
    const { data } = (await (keys.owner as Client).get(`/audit_logs?request_id=${id}`)).json()
    expect(data).toMatchObject([{ action, outcome: 'denied', actor: { type: 'api_key' } }])
  }
})

test('what a key does is attributed to the key', async () => {
  const { owner } = await one.organization()
  const { id, client } = await madeKey(one, owner, { name: 'Nightly sync', role: 'editor' })
  const made = await client.post('/templates', { name: 'Preset' })
  expect(made.json()).toMatchObject({ created_by: id, updated_by: id })
  const actor = { type: 'api_key', id, name: 'Nightly sync' }
  const [record] = (await owner.get('/audit_logs?limit=1')).json().data
  expect(record).toMatchObject({ action: 'template.created', actor })
  expect((await owner.get('/events?limit=1')).json().data[0]).toMatchObject({ actor })
  const found = (await owner.get(`/audit_logs?actor_id=${id}`)).json().data
  expect(found.map((each: { id: string }) => each.id)).toEqual([record.id])
})

test('an Idempotency-Key belongs to the API key that sent it', async () => {
  const { owner } = await one.organization()
  const [mine, yours] = [await madeKey(one, owner), await madeKey(one, owner)]
  const send = (client: Client, name: string) =>
    client.post('/templates', { name }, { 'idempotency-key': 'the same' })
  expect((await send(mine.client, 'mine')).statusCode).toBe(201)
  expect((await send(yours.client, 'yours')).statusCode).toBe(201)
  const again = await send(mine.client, 'mine')
  expect([again.json().name, again.headers['idempotency-replayed']]).toEqual(['mine', 'true'])
})

test('its requests count against the organization’s limit with all others', async () => {
  const { owner } = await one.organization({ plan: 'free' })
  const { client } = await madeKey(one, owner)
  const replies = [
    ...(await Promise.all(Array.from({ length: 5 }, () => owner.get('/organization')))),
    ...(await Promise.all(Array.from({ length: 6 }, () => client.get('/organization')))),
  ]
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(9)
  expect([await asked(client), await asked(owner)]).toEqual(['rate_limited', 'rate_limited'])
})

test('in a suspended organization it reads but does not write', async () => {
  const organization = await one.organization()
  const { client } = await madeKey(one, organization.owner)
  await setOrganization(organization.ctx, () => ({ status: 'suspended' }))
  expect(await asked(client)).toBe('200')
  expect(codeOf(await client.post('/templates', { name: 'x' }))).toBe('organization_suspended')
})

test('it expires to the millisecond', async () => {
  const { owner } = await one.organization()
  const { client } = await madeKey(one, owner, { expires_at: ahead(hour) })
  expect(await asked(client)).toBe('200')
  one.clock.advance(hour - 1)
  expect(await asked(client)).toBe('200')
  one.clock.advance(1)
  expect(await asked(client)).toBe('token_expired')
  expect((await client.get('/organization')).headers['www-authenticate']).toBe('Bearer')
})

describe('an invalid key', () => {
  test.each([
    ['of an organization that is none', () => newApiKey('org_01m7yez275fk1a52pr5qevn8kn')],
    ['that was never made', (id: string) => newApiKey(id)],
    ['cut off', (_: string, key: string) => key.slice(0, -1)],
    ['with a letter more', (_: string, key: string) => `${key}x`],
    [
      'with another end',
      (_: string, key: string) => key.replace(/.$/, (it) => (it === 'A' ? 'B' : 'A')),
    ],
    ['in capitals', (_: string, key: string) => key.toUpperCase()],
    [
      'of another organization',
      (_: string, key: string, strange: string) => strange + key.slice(30),
    ],
    ['without a secret', (_: string, key: string) => key.slice(0, 31)],
  ] as const)('%s is an invalid token', async (_, spoil) => {
    const [{ id, owner }, stranger] = [await one.organization(), await one.organization()]
    const { key } = await madeKey(one, owner)
    const strange = `fdk_${stranger.id.slice(4)}`
    expect(await asked(withKey(one, spoil(id, key, strange)))).toBe('invalid_token')
  })
})

test('a deleted key is refused at once here and within a second elsewhere, however busy', async () => {
  const msUntilRevoked = async () => {
    const { owner } = await one.organization()
    const [revoked, kept] = [await madeKey(one, owner), await madeKey(one, owner)]
    const clients = [revoked, kept].map(({ key }) => withKey(other, key)) as [Client, Client]
    const begun = performance.now()
    // From now on they are read in batches.
    await msUntil(async () => {
      for (const client of clients) expect(await asked(client)).toBe('200')
      return performance.now() - begun > 1_000
    })
    expect((await owner.delete(`/api_keys/${revoked.id}`)).statusCode).toBe(204)
    expect(await asked(revoked.client)).toBe('token_revoked')
    const [there, still] = clients
    const passedMs = await msUntil(async () => (await asked(there)) === 'token_revoked')
    expect([await asked(still), await asked(kept.client)]).toEqual(['200', '200'])
    return passedMs
  }
  await expect.poll(() => medianOf(msUntilRevoked)).toBeLessThan(1_000)
})

test('a key cannot delete itself', async () => {
  const { owner } = await one.organization()
  const { id, client } = await madeKey(one, owner)
  expect(codeOf(await client.delete(`/api_keys/${id}`))).toBe('insufficient_role')
  expect(await asked(client)).toBe('200')
})

describe('the time of last use', () => {
  const lastUse = async (client: Client, id: string) =>
    (await client.get(`/api_keys/${id}`)).json().last_used_at

  test('is shown within seconds, to the minute, without a new version', async () => {
    const { owner } = await one.organization()
    const { id, key, client } = await madeKey(one, owner)
    const sequence = async () => (await owner.get('/audit_logs?limit=1')).json().data[0].sequence
    const before = await sequence()
    const used = ahead(0)
    await client.get('/organization')
    await expect.poll(() => lastUse(owner, id)).toBe(used)
    one.clock.advance(59_000)
    await client.get('/organization')
    one.clock.advance(1_000)
    const usedAgain = ahead(0)
    await Promise.all([client, withKey(other, key)].map((each) => each.get('/organization')))
    await expect.poll(() => lastUse(owner, id)).toBe(usedAgain)
    expect((await owner.get(`/api_keys/${id}`)).json()).toMatchObject({ version: 1 })
    expect(await sequence()).toBe(before)
  })

  test('is written once per replica, however often the key is used', async () => {
    const { owner } = await one.organization()
    const { id, key } = await madeKey(one, owner)
    const clients = [withKey(one, key), withKey(other, key)]
    const spies = [one, other].map(({ services }) => vi.spyOn(services.database, 'transaction'))
    for (const client of Array.from({ length: 100 }, () => clients).flat()) await asked(client)
    await expect.poll(() => lastUse(owner, id)).not.toBe(null)
    for (const spy of spies) {
      expect(spy.mock.calls.length).toBeLessThanOrEqual(1)
      spy.mockRestore()
    }
  })

  test('stays empty for a key that is refused', async () => {
    const { owner } = await one.organization()
    const expired = await madeKey(one, owner, { expires_at: ahead(1) })
    const used = await madeKey(one, owner)
    one.clock.advance(1)
    expect([await asked(expired.client), await asked(used.client)]).toEqual([
      'token_expired',
      '200',
    ])
    await expect.poll(() => lastUse(owner, used.id)).not.toBe(null)
    expect(await lastUse(owner, expired.id)).toBe(null)
  })
})

test('the event streams of a deleted key end on every replica', async () => {
  const { owner } = await one.organization()
  const { id, key } = await madeKey(one, owner, { role: 'editor' })
  const urls = [await listen(one.app), await listen(other.app)]
  const streams = await Promise.all(urls.map((url) => openStream(url, { token: key })))
  for (const stream of streams) {
    expect(stream.status).toBe(200)
    await stream.block()
  }
  const begun = performance.now()
  expect((await owner.delete(`/api_keys/${id}`)).statusCode).toBe(204)
  const ends = await Promise.all(streams.map(async (each) => (await each.rest()).at(-1)?.comment))
  expect(ends).toEqual(['end token_revoked', 'end token_revoked'])
  expect(performance.now() - begun).toBeLessThan(10_000)
})
