import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  execute,
  makeEvents,
  rowsOf,
  setStatus,
} from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import { openWorld, type TestOrganization, type World } from '../../../test/support/world.ts'
import { disableEndpoint, recordFailing } from './status.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const act = ({ owner }: TestOrganization, id: string, action: string) =>
  owner.post(`/webhook_endpoints/${id}/${action}`)

const show = async ({ owner }: TestOrganization, id: string) =>
  (await owner.get(`/webhook_endpoints/${id}`)).json()

const newestRecord = async ({ owner }: TestOrganization) =>
  (await owner.get('/audit_logs?limit=1')).json().data[0]

const eventTypes = async (organization: TestOrganization) =>
  (await rowsOf(world, 'events', organization)).map(({ type }) => type)

describe('disabling', () => {
  test('answers the endpoint, disabled by hand', async () => {
    const organization = await world.organization()
    const { secret: _, ...endpoint } = await endpointOf(organization)
    const reply = await act(organization, endpoint.id, 'disable')
    expect([reply.statusCode, reply.headers.etag]).toEqual([200, '"2"'])
    const expected = { ...endpoint, status: 'disabled', disabled_reason: 'manual', version: 2 }
    expect(reply.json()).toEqual(expected)
    expect(await show(organization, endpoint.id)).toEqual(expected)
    const { data } = (await organization.owner.get('/webhook_endpoints?status=disabled')).json()
    expect(data).toEqual([expected])
  })

  test('skips pending deliveries, and keeps finished ones', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [one, other] = [await endpointOf(organization), await endpointOf(organization)]
    for (let made = 0; made < 3; made += 1) {
      world.clock.advance(1)
      await makeEvents(organization, 1)
    }
    const [, first] = await deliveriesTo(owner, one.id)
    await setStatus(world, [String(first?.id)], 'succeeded')
    world.clock.advance(1)
    const tested = (await act(organization, one.id, 'test')).json()
    world.clock.advance(1_000)
    await act(organization, one.id, 'disable')
    const log = await deliveriesTo(owner, one.id)
    expect(log.map(({ event_type, status }) => [event_type, status])).toEqual([
      ['webhook_endpoint.created', 'skipped'],
      ['profile.created', 'succeeded'],
      ['profile.created', 'skipped'],
      ['profile.created', 'skipped'],
      ['webhook_endpoint.test', 'cancelled'],
    ])
    const now = world.clock.now().toISOString()
    expect(log.at(-1)).toEqual({ ...tested, ...cancelled, updated_at: now })
    const others = await deliveriesTo(owner, other.id, 'event_type=profile.created')
    expect(others.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
  })

  const cancelled = { status: 'cancelled', next_attempt_at: null }

  test('records later events as skipped', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await act(organization, id, 'disable')
    await makeEvents(organization, 1)
    const log = await deliveriesTo(organization.owner, id)
    expect(log).toMatchObject([
      { event_type: 'profile.created', status: 'skipped', next_attempt_at: null },
    ])
  })
})

test('enabling starts afresh', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  const failed = `update webhook_endpoints
    set status = 'disabled', disabled_reason = 'failing', consecutive_failures = 12,
      failing_since = $2, paused_until = $2
    where id = $1`
  await execute(world, failed, [id, world.clock.now().toISOString()])
  const reply = await act(organization, id, 'enable')
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    consecutive_failures: 0,
    version: 2,
  })
  const [row] = await rowsOf(world, 'webhook_endpoints', organization)
  expect(row).toMatchObject({ failing_since: null, paused_until: null })
  expect(await newestRecord(organization)).toMatchObject({
    action: 'webhook_endpoint.enabled',
    changes: expect.arrayContaining([{ field: 'status', before: 'disabled', after: 'enabled' }]),
  })
})

test.each(['enable', 'disable'])(
  '%s an endpoint in that state already changes nothing',
  async (action) => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    if (action === 'disable') await act(organization, id, action)
    const before = [
      await show(organization, id),
      await rowsOf(world, 'audit_logs', organization),
      await eventTypes(organization),
    ]
    const again = await act(organization, id, action)
    expect([again.statusCode, again.json()]).toEqual([200, before[0]])
    const after = [
      await show(organization, id),
      await rowsOf(world, 'audit_logs', organization),
      await eventTypes(organization),
    ]
    expect(after).toEqual(before)
  },
)

test('both check If-Match', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  for (const action of ['disable', 'enable']) {
    const path = `/webhook_endpoints/${id}/${action}`
    const { version } = await show(organization, id)
    const stale = await organization.owner.post(path, undefined, { 'if-match': '"9"' })
    expect([stale.statusCode, stale.json().current_version]).toEqual([412, version])
    const fresh = await organization.owner.post(path, {}, { 'if-match': `"${version}"` })
    expect(fresh.statusCode).toBe(200)
  }
})

test('is sent to the other endpoints, not to the endpoint itself', async () => {
  const organization = await world.organization()
  const [one, other] = [await endpointOf(organization), await endpointOf(organization)]
  await act(organization, one.id, 'disable')
  world.clock.advance(1)
  await act(organization, one.id, 'enable')
  const about = 'event_type=webhook_endpoint.disabled,webhook_endpoint.enabled'
  expect(await deliveriesTo(organization.owner, one.id, about)).toEqual([])
  expect(await deliveriesTo(organization.owner, other.id, about)).toMatchObject([
    { event_type: 'webhook_endpoint.disabled', status: 'pending' },
    { event_type: 'webhook_endpoint.enabled', status: 'pending' },
  ])
})

test('the same key repeats neither, whatever happened since', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  const disable = () =>
    organization.owner.post(`/webhook_endpoints/${id}/disable`, {}, { 'idempotency-key': 'k' })
  const first = await disable()
  await act(organization, id, 'enable')
  const second = await disable()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(second.json()).toEqual(first.json())
  expect(await show(organization, id)).toMatchObject({ status: 'enabled', version: 3 })
})

const bySystem = {
  outcome: 'success',
  actor: { type: 'system', id: null, name: 'webhook delivery' },
  request: null,
}

const failFor = (id: string) =>
  execute(world, 'update webhook_endpoints set failing_since = now() where id = $1', [id])

describe('the result of deliveries', () => {
  test.each(['gone', 'failing'] as const)('disables an endpoint that is %s', async (reason) => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await makeEvents(organization, 1)
    await failFor(id)
    await disableEndpoint(organization.ctx, id, reason)
    const disabled = { status: 'disabled', disabled_reason: reason, version: 2, updated_by: null }
    expect(await show(organization, id)).toMatchObject(disabled)
    expect(await deliveriesTo(organization.owner, id)).toMatchObject([{ status: 'skipped' }])
    const record = { ...bySystem, action: 'webhook_endpoint.disabled', resource: { id } }
    expect(await newestRecord(organization)).toMatchObject(record)
    expect((await eventTypes(organization)).at(-1)).toBe('webhook_endpoint.disabled')
  })

  test('notifies the others when one is failing', async () => {
    const organization = await world.organization()
    const [one, other] = [await endpointOf(organization), await endpointOf(organization)]
    await failFor(one.id)
    await recordFailing(organization.ctx, one.id)
    expect(await show(organization, one.id)).toMatchObject({ status: 'enabled', version: 2 })
    const record = { ...bySystem, action: 'webhook_endpoint.failing', resource: { id: one.id } }
    expect(await newestRecord(organization)).toMatchObject(record)
    const reported = await deliveriesTo(
      organization.owner,
      other.id,
      'event_type=webhook_endpoint.failing',
    )
    expect(reported).toMatchObject([{ status: 'pending' }])
  })

  test('is ignored for an endpoint whose health was reset', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await disableEndpoint(organization.ctx, id, 'failing')
    await recordFailing(organization.ctx, id)
    expect(await show(organization, id)).toMatchObject({ status: 'enabled', version: 1 })
  })

  test('is ignored for an endpoint that is disabled or gone', async () => {
    const organization = await world.organization()
    const [one, other] = [await endpointOf(organization), await endpointOf(organization)]
    await act(organization, one.id, 'disable')
    await organization.owner.delete(`/webhook_endpoints/${other.id}`)
    const before = await rowsOf(world, 'audit_logs', organization)
    for (const id of [one.id, other.id]) {
      await disableEndpoint(organization.ctx, id, 'gone')
      await recordFailing(organization.ctx, id)
    }
    expect(await rowsOf(world, 'audit_logs', organization)).toEqual(before)
    expect(await show(organization, one.id)).toMatchObject({ disabled_reason: 'manual' })
  })
})
