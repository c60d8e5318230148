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
