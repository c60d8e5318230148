import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  openWorld,
  type Reply,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'
import { columnsOf } from '../../database/tables/types.ts'
import { purgeApiKeys } from './retention.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const hour = 3_600_000
const day = 24 * hour
const ahead = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()
const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

const newest = async ({ owner }: TestOrganization) =>
  (await owner.get('/audit_logs?limit=1')).json().data[0]

describe('an API key', () => {
  test('is shown once, with a location and a version', async () => {
    const { owner, id: organizationId } = await world.organization()
    const expires_at = ahead(30 * day)
    const reply = await owner.post('/api_keys', { name: ' Reporting ', role: 'viewer', expires_at })
    expect(reply.statusCode).toBe(201)
    const { key, ...shown } = reply.json()
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Reporting',
      role: 'viewer',
      scope: null,
      agent: null,
      stopped_at: null,
      key_hint: key.slice(-4),
      status: 'active',
      expires_at,
      last_used_at: null,
      version: 1,
      created_at: expect.any(String),
      updated_at: shown.created_at,
      created_by: owner.userId,
      created_by_name: 'Olga Owner',
      updated_by: owner.userId,
      updated_by_name: 'Olga Owner',
    })
    expect(key).toMatch(/^fdk_[0-7][0-9a-z]{25}_[0-9A-Za-z]{43}$/)
    expect(key.slice(4, 30)).toBe(organizationId.slice(4))
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      etag: '"1"',
      location: `/api/v1/api_keys/${shown.id}`,
    })
    expect((await owner.get(`/api_keys/${shown.id}`)).json()).toEqual(shown)
    expect((await owner.get('/api_keys')).json().data).toEqual([shown])
  })

  test('is named by GET /auth/me: no user and no session, its own role and expiry', async () => {
    const { owner, id } = await world.organization()
    const organization = { id, name: expect.any(String), plan: 'zion' }
    const expires_at = ahead(30 * day)
    for (const fields of [{ role: 'viewer', expires_at }, { role: 'auditor' }]) {
      const key = await madeKey(world, owner, fields)
      const reply = await key.client.get('/auth/me')
      const api_key = { id: key.id, name: 'Reporting', expires_at: null, ...fields }
      expect(reply.json()).toEqual({
        user: null,
        session_id: null,
        must_set_up_factor: false,
        single_sign_on: false,
        scope: null,
        api_key,
        organization,
      })
      expect(reply.headers['cache-control']).toBe('no-store')
    }
    const user = { id: owner.userId, email: owner.email, role: 'owner', name: 'Olga Owner' }
    const session_id = expect.stringMatching(/^ses_/)
    const me = (await owner.get('/auth/me')).json()
    const shown = { user, session_id, scope: null, api_key: null, organization }
    expect(me).toEqual({ ...shown, must_set_up_factor: false, single_sign_on: false })
  })

  test('is not shown again when its creation is repeated', async () => {
    const { owner } = await world.organization()
    const body = { name: 'Reporting', role: 'viewer' }
    const headers = { 'idempotency-key': 'make it' }
    const first = await owner.post('/api_keys', body, headers)
    const again = await owner.post('/api_keys', body, headers)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json()).toEqual({ ...first.json(), key: null })
    expect((await owner.get('/api_keys?include_total=true')).json().meta.total).toBe(1)
  })

  test('is not created by a dry run', async () => {
    const { owner } = await world.organization()
    const body = { name: 'Reporting', role: 'viewer' }
    const trial = await owner.post('/api_keys?validate_only=true', body)
    expect([trial.statusCode, trial.json().key]).toEqual([200, null])
    expect((await owner.get('/api_keys')).json().data).toEqual([])
  })

  test('with an expiry of any offset shows it in UTC', async () => {
    const { owner } = await world.organization()
    const body = { name: 'R', role: 'viewer', expires_at: '2999-01-01T02:00:00+02:00' }
    expect((await owner.post('/api_keys', body)).json().expires_at).toBe('2999-01-01T00:00:00.000Z')
  })

  test('is gone when it is deleted, and cannot be deleted again', async () => {
    const { owner } = await world.organization()
    const { id } = await madeKey(world, owner)
    expect((await owner.delete(`/api_keys/${id}`, { 'if-match': '"7"' })).statusCode).toBe(412)
    expect((await owner.delete(`/api_keys/${id}`, { 'if-match': '"1"' })).statusCode).toBe(204)
    expect(codeOf(await owner.delete(`/api_keys/${id}`))).toEqual([404, 'not_found'])
    expect(codeOf(await owner.get(`/api_keys/${id}`))).toEqual([404, 'not_found'])
    expect((await owner.get('/api_keys')).json().data).toEqual([])
  })
})

test('all faults of a creation are reported at once', async () => {
  const { owner } = await world.organization()
  const body = { name: '', role: 'king', expires_at: ahead(-1), key: 'fdk_mine', roles: [] }
  const reply = await owner.post('/api_keys', body)
  const reported = reply
    .json()
    .errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
  expect(reply.statusCode).toBe(422)
  expect(Object.fromEntries(reported)).toEqual({
    '/name': 'too_short',
    '/role': 'invalid_enum_value',
    '/expires_at': 'date_in_past',
    '/key': 'read_only_field',
    '/roles': 'unknown_field',
  })
})

test('lists can be filtered by role, status, name and time', async () => {
  const { owner } = await world.organization()
  const variants = [
    { name: 'first', role: 'viewer' },
    { name: 'second', role: 'editor', expires_at: ahead(hour) },
    { name: 'third', role: 'owner', expires_at: ahead(3 * day) },
  ]
  for (const fields of variants) await madeKey(world, owner, fields)
  const gone = await madeKey(world, owner, { name: 'gone' })
  await owner.delete(`/api_keys/${gone.id}`)
  const names = async (query: string) =>
    (await owner.get(`/api_keys?sort=name${query}`))
      .json()
      .data.map(({ name }: { name: string }) => name)
  world.clock.advance(hour)
  expect(await names('')).toEqual(['first', 'second', 'third'])
  expect(await names('&role=owner,viewer')).toEqual(['first', 'third'])
  expect(await names('&status=active')).toEqual(['first', 'third'])
  expect(await names('&status=expired')).toEqual(['second'])
  expect(await names('&status=active,expired&q=IR')).toEqual(['first', 'third'])
  expect(await names(`&created_after=${ahead(0)}`)).toEqual([])
  const odd = await owner.get('/api_keys?status=revoked')
  expect(codeOf(odd)).toEqual([400, 'invalid_parameter'])
  const walked = await owner.get('/api_keys?sort=name&limit=2&status=active,expired')
  const rest = await owner.get(`/api_keys?cursor=${walked.json().meta.next_cursor}`)
  expect(rest.json().data).toMatchObject([{ name: 'third', status: 'active' }])
})

describe('roles', () => {
  test('an admin creates and deletes keys, except those of an owner', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    const own = await madeKey(world, admin)
    expect((await admin.delete(`/api_keys/${own.id}`)).statusCode).toBe(204)
    const minted = await admin.post('/api_keys', { name: 'Mine', role: 'owner' })
    expect(minted.json()).toMatchObject({
      status: 403,
      code: 'insufficient_role',
      required_roles: ['owner'],
    })
    expect(await newest(organization)).toMatchObject({
      action: 'api_key.created',
      outcome: 'denied',
      actor: { type: 'user', id: admin.userId },
    })
    const ofOwner = await madeKey(world, organization.owner, { name: 'Root', role: 'owner' })
    const kept = await admin.delete(`/api_keys/${ofOwner.id}`)
    expect(codeOf(kept)).toEqual([403, 'insufficient_role'])
    expect(await newest(organization)).toMatchObject({
      action: 'api_key.revoked',
      outcome: 'denied',
      resource: { type: 'api_key', id: ofOwner.id, name: 'Root' },
    })
    expect((await ofOwner.client.get('/organization')).statusCode).toBe(200)
  })

  test('no key creates or deletes keys, whatever its role', async () => {
    const organization = await world.organization()
    const { id, client } = await madeKey(world, organization.owner, { role: 'owner' })
    const minted = await client.post('/api_keys', { name: 'More', role: 'viewer' })
    expect(codeOf(minted)).toEqual([403, 'insufficient_role'])
    expect(minted.json().required_roles).toEqual(['owner', 'admin'])
    expect(await newest(organization)).toMatchObject({
      action: 'api_key.created',
      outcome: 'denied',
      actor: { type: 'api_key', id },
    })
    expect(codeOf(await client.delete(`/api_keys/${id}`))).toEqual([403, 'insufficient_role'])
    expect((await client.get(`/api_keys/${id}`)).statusCode).toBe(200)
  })
})

test('another organization’s key is a missing one', async () => {
  const { owner } = await world.organization()
  const stranger = await world.organization()
  const { id } = await madeKey(world, owner)
  const { client } = await madeKey(world, stranger.owner)
  for (const each of [stranger.owner, client]) {
    expect(codeOf(await each.get(`/api_keys/${id}`))).toEqual([404, 'not_found'])
  }
  expect(codeOf(await stranger.owner.delete(`/api_keys/${id}`))).toEqual([404, 'not_found'])
  expect((await owner.get(`/api_keys/${id}`)).statusCode).toBe(200)
})

test('neither key nor digest is in an answer, the log, the audit log, an event or a table', async () => {
  const { id: organizationId, owner } = await world.organization()
  const headers = { 'idempotency-key': 'make it' }
  const made = await owner.post('/api_keys', { name: 'R', role: 'admin' }, headers)
  const { id, key } = made.json()
  const client = { authorization: `Bearer ${key}` }
  const replies = [
    await owner.post('/api_keys', { name: 'R', role: 'admin' }, headers),
    await owner.get('/api_keys', client),
    await owner.get(`/api_keys/${id}`, client),
    await owner.post('/templates', { name: 'By a machine' }, client),
    await owner.post('/templates', { nam: '' }, client),
    await owner.get('/auth/me', client),
    await owner.delete(`/api_keys/${id}`, client),
    await owner.get('/organization', client),
    await owner.get('/organization', { authorization: `Bearer ${key}x` }),
    await owner.get('/audit_logs?limit=100'),
    await owner.get('/events?limit=100'),
  ]
  const tables = await Promise.all(
    Object.entries(columnsOf)
      .filter(([, columns]) => columns.some((column) => column === 'organization_id'))
      .map(([name, columns]) =>
        world.services.database.reader.query({
          sql: `select ${columns} from ${name} where organization_id = $1`,
          parameters: [organizationId],
        }),
      ),
  )
  const secret = key.slice(-40)
  const digest = createHash('sha256').update(key).digest('hex')
  expect(made.body).not.toContain(digest)
  for (const { headers, body } of replies) {
    expect(JSON.stringify(headers) + body).not.toContain(secret)
    expect(JSON.stringify(headers) + body).not.toContain(digest)
  }
  expect(JSON.stringify(world.logged)).not.toContain(secret)
  expect(JSON.stringify(world.logged)).not.toContain(digest)
  const stored = JSON.stringify(tables)
  expect(stored).not.toContain(secret)
  expect(stored.split(digest)).toHaveLength(2)
})

/** Ages the deletion; advancing the clock would affect other files' keys. */
const revokedEarlier = (id: string, ms: number) =>
  world.services.database.transaction(async (tx) => {
    const sql = 'update api_keys set revoked_at = $2 where id = $1'
    tx.send({ sql, parameters: [id, ahead(-ms)] })
  })

test('a deleted key is reported as such for 90 days, and is unknown afterwards', async () => {
  const { owner } = await world.organization()
  const { id, client } = await madeKey(world, owner)
  await owner.delete(`/api_keys/${id}`)
  const reported = async () => codeOf(await client.get('/organization'))
  const signal = AbortSignal.timeout(10_000)
  await revokedEarlier(id, 90 * day - hour)
  await purgeApiKeys(world.services, signal)
  expect(await reported()).toEqual([401, 'token_revoked'])
  await revokedEarlier(id, 90 * day + hour)
  await purgeApiKeys(world.services, signal)
  await expect.poll(reported).toEqual([401, 'invalid_token'])
})
