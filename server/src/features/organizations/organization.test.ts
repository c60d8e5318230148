import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { setOrganization } from './organization.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('every role reads its own organization, with its version as ETag', async () => {
  const { id, as } = await world.organization({ plan: 'captain', name: 'Acme' })
  const reply = await (await as('auditor')).get('/organization')
  expect(reply.statusCode).toBe(200)
  expect(reply.headers.etag).toBe('"1"')
  expect(reply.json()).toMatchObject({
    id,
    name: 'Acme',
    plan: 'captain',
    status: 'active',
    require_if_match: false,
    version: 1,
  })
})

test('only an owner changes the organization, and a refusal is in the audit log', async () => {
  const { owner, as } = await world.organization()
  const refused = await (await as('admin')).patch('/organization', { name: 'Mine' })
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'insufficient_role', required_roles: ['owner'] })
  const changed = await owner.patch('/organization', { name: '  New name ' })
  expect(changed.json()).toMatchObject({ name: 'New name', version: 2 })
  expect(changed.headers.etag).toBe('"2"')
  const { data } = (await owner.get('/audit_logs?action=organization.updated')).json()
  expect(data).toMatchObject([
    { outcome: 'success', changes: [{ field: 'name', after: 'New name' }] },
    { outcome: 'denied', request: { status: 403 } },
  ])
})

test('a change that names an older version is refused', async () => {
  const { owner } = await world.organization()
  await owner.patch('/organization', { name: 'Second' }, { 'if-match': '"1"' })
  const stale = await owner.patch('/organization', { name: 'Third' }, { 'if-match': '"1"' })
  expect(stale.statusCode).toBe(412)
  expect(stale.json()).toMatchObject({ code: 'version_mismatch', current_version: 2 })
})

test('an organization that requires If-Match says so, and can stop requiring it', async () => {
  const { owner } = await world.organization()
  await owner.patch('/organization', { require_if_match: true })
  const without = await owner.patch('/organization', { name: 'B' })
  expect(without.statusCode).toBe(428)
  const off = await owner.patch('/organization', { require_if_match: false }, { 'if-match': '"2"' })
  expect(off.json()).toMatchObject({ require_if_match: false, version: 3 })
  expect((await owner.patch('/organization', { name: 'B' })).statusCode).toBe(200)
})

test('plan and status are read-only here, but may be sent back unchanged', async () => {
  const { owner } = await world.organization({ plan: 'free' })
  const current = (await owner.get('/organization')).json()
  const same = await owner.patch('/organization', current)
  expect(same.json()).toEqual(current)
  const more = await owner.patch('/organization', { plan: 'zion' })
  expect(more.statusCode).toBe(422)
  expect(more.json().errors).toMatchObject([{ pointer: '/plan', code: 'read_only_field' }])
  expect((await owner.put('/organization', current)).statusCode).toBe(405)
})

test('a suspended organization is readable but not writable', async () => {
  const { owner, ctx } = await world.organization()
  await setOrganization(ctx, () => ({ status: 'suspended' }))
  const refused = await owner.patch('/organization', { name: 'B' })
  expect(refused.statusCode).toBe(403)
  expect(refused.json().code).toBe('organization_suspended')
  expect((await owner.get('/organization')).json().status).toBe('suspended')
  expect((await owner.get('/audit_logs/export')).statusCode).toBe(200)
})

test('limits show plan, window and caps with their use', async () => {
  const { owner, as } = await world.organization({ plan: 'free' })
  const viewer = await as('viewer')
  await owner.get('/organization')
  const limits = (await viewer.get('/limits')).json()
  expect(limits).toMatchObject({
    plan: 'free',
    requests: { limit: 100, remaining: 98, window_seconds: 60 },
    caps: { campaigns: { limit: 10_000, used: 0 }, webhook_endpoints: { limit: 20, used: 0 } },
  })
  expect(Object.keys(limits.caps).sort()).toEqual([
    'api_keys',
    'campaigns',
    'members',
    'profiles',
    'proxies',
    'templates',
    'webhook_endpoints',
  ])
  expect(limits.caps).toMatchObject({
    members: { limit: 1_000, used: 2 },
    api_keys: { limit: 100, used: 0 },
  })
  expect(limits.requests.reset_seconds).toBeGreaterThan(0)
})

test('limits show the storage used, measured at most once a minute', async () => {
  const { owner } = await world.organization()
  const stored = async () => (await owner.get('/limits')).json().storage
  const empty = await stored()
  expect(empty).toMatchObject({
    measured_at: expect.stringMatching(/Z$/),
    by_kind: { profiles: 0 },
  })
  expect(empty.by_kind.audit_logs).toBeGreaterThan(500)
  const metadata = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`k${at}`, randomBytes(200).toString('hex')]),
  )
  await owner.post('/profiles', { name: 'Large', metadata })
  expect(await stored()).toEqual(empty)
  world.clock.advance(60_000)
  const { bytes, by_kind } = await stored()
  expect(by_kind.profiles).toBeGreaterThan(6_000)
  expect(by_kind.profiles).toBeLessThan(15_000)
  expect(by_kind.events).toBeGreaterThan(6_000)
  const kinds: number[] = Object.values(by_kind)
  expect(bytes).toBe(kinds.reduce((sum, each) => sum + each, 0))
})
