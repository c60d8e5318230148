import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointOf, rowsOf } from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import type { Signal } from '../../signals/signals.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

test('a test goes to its endpoint only, whatever its subscriptions', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const one = await endpointOf(organization, { events: ['campaign.paused'] })
  await endpointOf(organization)
  const reply = await owner.post(`/webhook_endpoints/${one.id}/test`)
  const now = world.clock.now().toISOString()
  expect(reply.statusCode).toBe(202)
  expect(reply.json()).toEqual({
    id: expect.stringMatching(/^dlv_/),
    endpoint_id: one.id,
    event_id: expect.stringMatching(/^evt_/),
    event_type: 'webhook_endpoint.test',
    status: 'pending',
    trigger: 'test',
    attempt_count: 0,
    next_attempt_at: now,
    last_response_status: null,
    last_error: null,
    created_at: now,
    updated_at: now,
  })
  const rows = await rowsOf(world, 'webhook_deliveries', organization)
  const tests = rows.filter((row) => row.event_type === 'webhook_endpoint.test')
  expect(tests.map((row) => row.endpoint_id)).toEqual([one.id])
})

test('its event has no sequence, and is in the audit log', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const created = await endpointOf(organization)
  const { secret: _, created_by_name: __, updated_by_name: ___, ...endpoint } = created
  const before = await rowsOf(world, 'events', organization)
  const reply = await owner.post(`/webhook_endpoints/${endpoint.id}/test`)
  expect(await rowsOf(world, 'events', organization)).toEqual(before)
  const { id, event_id } = reply.json()
  const path = `/webhook_endpoints/${endpoint.id}/deliveries/${id}`
  const { request_body } = (await owner.get(path)).json()
  expect(JSON.parse(request_body)).toEqual({
    id: event_id,
    type: 'webhook_endpoint.test',
    timestamp: world.clock.now().toISOString(),
    api_version: 'v1',
    organization_id: organization.id,
    sequence: null,
    request_id: reply.headers['x-request-id'],
    actor: { type: 'user', id: owner.userId, name: 'Olga Owner' },
    test: true,
    data: { object: { ...endpoint, url: 'https://example.com' }, previous: null },
  })
  const { data } = (await owner.get('/audit_logs?limit=1')).json()
  expect(data).toMatchObject([
    {
      action: 'webhook_endpoint.test',
      resource: { type: 'webhook_endpoint', id: endpoint.id },
      request: { status: 202 },
    },
  ])
})

test('a disabled endpoint can be tested too', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  await organization.owner.post(`/webhook_endpoints/${id}/disable`)
  const reply = await organization.owner.post(`/webhook_endpoints/${id}/test`)
  expect([reply.statusCode, reply.json().status]).toEqual([202, 'pending'])
})

test('the delivery is woken once for each test, and not for a replay', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  const reported: Signal[] = []
  const stop = world.services.signals.subscribe((signal) => void reported.push(signal))
  const headers = { 'idempotency-key': 'k' }
  const send = () => organization.owner.post(`/webhook_endpoints/${id}/test`, {}, headers)
  const [first, second] = [await send(), await send()]
  stop()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect([second.statusCode, second.json()]).toEqual([202, first.json()])
  expect(reported).toMatchObject([{ organizationId: organization.id, endpointIds: [id] }])
})
