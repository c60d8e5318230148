import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointOf } from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  faultsOf,
  openWorld,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const urlOf = ({ id }: { id: string }) => `/webhook_endpoints/${id}`

/** A new endpoint, without its secret. */
async function endpointIn(organization: TestOrganization, body: object = {}) {
  const { secret: _, ...endpoint } = await endpointOf(organization, body)
  return endpoint
}

const newest = async ({ owner }: TestOrganization, list: string) =>
  (await owner.get(`/${list}?limit=1`)).json().data[0]

test('url, events, description and metadata change, and nothing else', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const endpoint = await endpointIn(organization, { description: 'CRM', metadata: { a: '1' } })
  world.clock.advance(1_000)
  const admin = await organization.as('admin')
  const url = 'https://other.example.com/in#part'
  const changes = { url, events: ['campaign.*'], metadata: { b: '2' } }
  const reply = await admin.patch(urlOf(endpoint), changes)
  expect(reply.json()).toEqual({
    ...endpoint,
    ...changes,
    url: 'https://other.example.com/in',
    version: 2,
    updated_at: world.clock.now().toISOString(),
    updated_by: admin.userId,
    updated_by_name: 'admin user',
  })
  expect(reply.headers.etag).toBe('"2"')
  expect((await owner.get(urlOf(endpoint))).json()).toEqual(reply.json())
  const cleared = await owner.patch(urlOf(endpoint), {
    events: null,
    description: null,
    metadata: null,
  })
  expect(cleared.json()).toMatchObject({ events: ['*'], description: null, metadata: {} })
})

test('a change is an event and an audit record, with the origins of the URLs only', async () => {
  const organization = await world.organization()
  const endpoint = await endpointIn(organization)
  await organization.owner.patch(urlOf(endpoint), { url: 'https://other.example.com/secret-path' })
  const moved = { field: 'url', before: 'https://example.com', after: 'https://other.example.com' }
  expect(await newest(organization, 'audit_logs')).toMatchObject({
    action: 'webhook_endpoint.updated',
    resource: { type: 'webhook_endpoint', id: endpoint.id },
    changes: expect.arrayContaining([moved]),
  })
  const event = await newest(organization, 'events')
  expect(event).toMatchObject({
    type: 'webhook_endpoint.updated',
    data: { object: { url: moved.after }, previous: { url: moved.before } },
  })
  await organization.owner.patch(urlOf(endpoint), { url: 'https://other.example.com/another' })
  const record = await newest(organization, 'audit_logs')
  const hidden = { field: 'url', before: '[redacted]', after: '[redacted]' }
  expect(record.changes).toContainEqual(hidden)
  expect(JSON.stringify([event, record])).not.toContain('secret-path')
})

test('what changes nothing makes no version, also with what the service has counted since', async () => {
  const organization = await world.organization()
  const endpoint = await endpointIn(organization, { events: ['*'] })
  const before = await newest(organization, 'audit_logs')
  const counted = { last_success_at: '2020-01-01T00:00:00.000Z', consecutive_failures: 3 }
  for (const body of [{}, endpoint, { ...endpoint, ...counted }, { events: null }]) {
    const reply = await organization.owner.patch(urlOf(endpoint), body)
    expect([reply.statusCode, reply.json()]).toEqual([200, endpoint])
  }
  expect(await newest(organization, 'audit_logs')).toEqual(before)
})

test('faults are those of a new endpoint, and those of changed read-only fields', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const endpoint = await endpointIn(organization)
  const faulty = {
    url: 'https://10.0.0.1/',
    events: ['campaign.pausd'],
    status: 'disabled',
    secret: 'x',
  }
  expect(faultsOf(await owner.patch(urlOf(endpoint), faulty)).sort()).toEqual([
    '/events/0 unknown_event',
    '/secret read_only_field',
    '/status read_only_field',
    '/url forbidden_host',
  ])
  const others = { url: null, event: [], description: 'x'.repeat(501) }
  expect(faultsOf(await owner.patch(urlOf(endpoint), others)).sort()).toEqual([
    '/description too_long',
    '/event unknown_field',
    '/url invalid_type',
  ])
  expect((await owner.get(urlOf(endpoint))).json()).toEqual(endpoint)
})

test('metadata is merged by a merge patch', async () => {
  const organization = await world.organization()
  const endpoint = await endpointIn(organization, { metadata: { a: '1', b: '2' } })
  const type = { 'content-type': 'application/merge-patch+json' }
  const body = { metadata: { a: null, c: '3' } }
  const reply = await organization.owner.patch(urlOf(endpoint), body, type)
  expect(reply.json().metadata).toEqual({ b: '2', c: '3' })
})

test('PUT stays 405, and another version is 412', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const endpoint = await endpointIn(organization)
  const put = await owner.put(urlOf(endpoint), { description: 'n' })
  expect([put.statusCode, put.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH'])
  const patch = (version: string) =>
    owner.patch(urlOf(endpoint), { description: 'n' }, { 'if-match': version })
  expect((await patch('"2"')).statusCode).toBe(412)
  expect((await patch('"1"')).statusCode).toBe(200)
})

test('another URL begins without the failures of the one before', async () => {
  const organization = await world.organization()
  const endpoint = await endpointIn(organization)
  const { owner } = organization
  const sql = `update webhook_endpoints set consecutive_failures = 12, failing_since = now(),
    paused_until = now() + interval '1 minute' where id = $1`
  await world.services.database.transaction(async (tx) =>
    tx.send({ sql, parameters: [endpoint.id] }),
  )
  const failuresAfter = async (body: object) =>
    (await owner.patch(urlOf(endpoint), body)).json().consecutive_failures
  expect(await failuresAfter({ description: 'n' })).toBe(12)
  expect(await failuresAfter({ url: 'https://example.com/elsewhere' })).toBe(0)
  const [row] = await world.services.database.reader.query({
    sql: 'select failing_since, paused_until from webhook_endpoints where id = $1',
    parameters: [endpoint.id],
  })
  expect(row).toEqual({ failing_since: null, paused_until: null })
})
