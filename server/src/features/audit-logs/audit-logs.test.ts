import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestOrganization, type World } from '../../../test/support/world.ts'
import { canonicalJson, sha256Hex } from '../../values/canonical-json.ts'
import type { AuditLog } from './schema.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function rename({ owner }: TestOrganization, ...names: string[]): Promise<void> {
  for (const name of names) await owner.patch('/organization', { name })
}

const actionsOf = (data: AuditLog[]) => data.map(({ action }) => action)

test('records have the shape that their hash covers, chained from 64 zeros', async () => {
  const acme = await world.organization()
  const reason = Buffer.from('grüße').toString('latin1')
  await acme.owner.patch('/organization', { name: 'B' }, { 'x-audit-reason': reason })
  const { data } = (await acme.owner.get('/audit_logs?sort=sequence')).json()
  expect(actionsOf(data)).toEqual([
    'organization.created',
    'member.created',
    'auth.login_succeeded',
    'organization.updated',
  ])
  let last = '0'.repeat(64)
  for (const [at, { prev_hash, hash, ...said }] of data.entries()) {
    expect(said.sequence).toBe(at + 1)
    expect(prev_hash).toBe(last)
    expect(hash).toBe(sha256Hex(`${prev_hash}\n${canonicalJson(said)}`))
    last = hash
  }
  expect(data[3]).toMatchObject({
    outcome: 'success',
    actor: { type: 'user', id: acme.owner.userId, name: 'Olga Owner' },
    resource: { type: 'organization', id: acme.id, name: 'B' },
    reason: 'grüße',
    request: { method: 'PATCH', path: '/api/v1/organization', status: 200 },
  })
  expect(data[0]).toMatchObject({ actor: { type: 'cli' }, request: null })
})

test('the newest record comes first, and paging shows each once despite new ones', async () => {
  const acme = await world.organization()
  await rename(acme, 'B', 'C', 'D')
  const seen: number[] = []
  let path = '/audit_logs?limit=2'
  for (let page = 0; path !== '' && page < 20; page += 1) {
    const { data, meta } = (await acme.owner.get(path)).json()
    seen.push(...data.map(({ sequence }: AuditLog) => sequence))
    await rename(acme, `E${page}`)
    path = meta.has_more ? `/audit_logs?cursor=${meta.next_cursor}` : ''
  }
  expect(seen).toEqual([6, 5, 4, 3, 2, 1])
})

test('every filter works', async () => {
  const acme = await world.organization()
  const { owner } = acme
  await rename(acme, 'Blue', 'Green')
  const viewer = await acme.as('viewer')
  const { headers } = await viewer.patch('/organization', { name: 'No' })
  const found = async (query: string) =>
    actionsOf((await owner.get(`/audit_logs?${query}`)).json().data)
  const updated = 'organization.updated'
  expect(await found('action=organization.*,member.created&sort=sequence')).toEqual([
    'organization.created',
    'member.created',
    updated,
    updated,
    'member.created',
    updated,
  ])
  expect(await found(`actor_id=${viewer.userId}`)).toEqual([updated, 'auth.login_succeeded'])
  expect(await found('resource_type=organization&q=gREE')).toEqual([updated])
  expect(await found(`resource_id=${viewer.userId}`)).toHaveLength(2)
  expect(await found('outcome=denied,failed')).toEqual([updated])
  expect(await found(`request_id=${headers['x-request-id']}`)).toEqual([updated])
  const later = new Date(world.clock.now().getTime() + 1).toISOString()
  expect(await found(`occurred_after=${later}`)).toEqual([])
  expect(await found(`occurred_before=${later}`)).toHaveLength(8)
  expect((await owner.get('/audit_logs?sort=created_at')).statusCode).toBe(400)
  expect((await owner.get('/audit_logs?outcome=perhaps')).statusCode).toBe(400)
  expect((await owner.get('/audit_logs?occurred_after=soon')).statusCode).toBe(400)
})

test('owner, admin and auditor read; editor and viewer do not; no role writes', async () => {
  const { as, owner } = await world.organization()
  for (const role of ['owner', 'admin', 'auditor'] as const) {
    expect((await (await as(role)).get('/audit_logs')).statusCode).toBe(200)
  }
  for (const role of ['editor', 'viewer'] as const) {
    const client = await as(role)
    for (const path of ['/audit_logs', '/audit_logs/verify', '/audit_logs/export']) {
      expect((await client.get(path)).statusCode).toBe(403)
    }
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
    const reply = await owner.call({ method, url: '/audit_logs' })
    expect(reply.statusCode).toBe(405)
    expect(reply.headers.allow).toBe('GET, HEAD')
  }
})

test('an organization never sees the records of another', async () => {
  const acme = await world.organization()
  const { owner, id } = await world.organization()
  await rename(acme, 'Secret')
  expect((await owner.get(`/audit_logs?resource_id=${acme.id}`)).json().data).toEqual([])
  expect((await owner.get('/audit_logs/export')).body).not.toContain('Secret')
  const { data } = (await owner.get('/audit_logs?resource_type=organization')).json()
  expect(data).toMatchObject([{ resource: { id } }])
})
