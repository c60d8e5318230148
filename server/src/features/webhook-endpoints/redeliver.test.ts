import { afterAll, beforeAll, expect, test } from 'vitest'
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
import type { Signal } from '../../signals/signals.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

/** An endpoint with one delivery of an event. */
async function delivered(organization: TestOrganization) {
  const { id: endpointId } = await endpointOf(organization)
  await makeEvents(organization, 1)
  const [delivery] = await deliveriesTo(organization.owner, endpointId)
  const id = String(delivery?.id)
  const path = `/webhook_endpoints/${endpointId}/deliveries/${id}`
  return { id, endpointId, path, redeliver: () => organization.owner.post(`${path}/redeliver`) }
}

const states = ['succeeded', 'failed', 'skipped', 'cancelled']

test.each(states)(
  'a delivery that is %s is sent again, and keeps its earlier attempts',
  async (status) => {
    const organization = await world.organization()
    const { id, path, redeliver } = await delivered(organization)
    await setStatus(world, [id], status)
    world.clock.advance(60_000)
    const before = (await organization.owner.get(path)).json()
    const reply = await redeliver()
    const now = world.clock.now().toISOString()
    expect(reply.statusCode).toBe(202)
    const { request_body: _, attempts: __, ...shown } = before
    const again = { status: 'pending', trigger: 'manual', next_attempt_at: now, updated_at: now }
    expect(reply.json()).toEqual({ ...shown, ...again })
    const [row] = await rowsOf(world, 'webhook_deliveries', organization)
    expect(row).toMatchObject({ id, retry_count: 0, attempt_count: 10, ...again })
  },
)

test('a pending delivery is sent immediately', async () => {
  const organization = await world.organization()
  const { id, redeliver } = await delivered(organization)
  const later = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const wait = 'update webhook_deliveries set next_attempt_at = $2, retry_count = 4 where id = $1'
  await execute(world, wait, [id, later])
  const now = world.clock.now().toISOString()
  expect((await redeliver()).json()).toMatchObject({ next_attempt_at: now, trigger: 'manual' })
})

test('a disabled endpoint still gets manual redeliveries', async () => {
  const organization = await world.organization()
  const { endpointId, redeliver } = await delivered(organization)
  await organization.owner.post(`/webhook_endpoints/${endpointId}/disable`)
  const reply = await redeliver()
  expect([reply.statusCode, reply.json().status]).toEqual([202, 'pending'])
})

test('the audit log has it, and it makes no event', async () => {
  const organization = await world.organization()
  const { id, redeliver } = await delivered(organization)
  await setStatus(world, [id], 'failed')
  const before = await rowsOf(world, 'events', organization)
  await redeliver()
  expect(await rowsOf(world, 'events', organization)).toEqual(before)
  const { data } = (await organization.owner.get('/audit_logs?limit=1')).json()
  expect(data).toMatchObject([
    {
      action: 'webhook_delivery.redelivered',
      resource: { type: 'webhook_delivery', id, name: 'profile.created' },
    },
  ])
  expect(data[0].changes).toContainEqual({ field: 'status', before: 'failed', after: 'pending' })
})

test('the same key sends it once, and wakes the delivery once', async () => {
  const organization = await world.organization()
  const { endpointId, path } = await delivered(organization)
  const reported: Signal[] = []
  const stop = world.services.signals.subscribe((signal) => void reported.push(signal))
  const headers = { 'idempotency-key': 'k' }
  const send = () => organization.owner.post(`${path}/redeliver`, {}, headers)
  const first = await send()
  world.clock.advance(1_000)
  const second = await send()
  stop()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect([second.statusCode, second.json()]).toEqual([202, first.json()])
  const mine = reported.filter(({ organizationId }) => organizationId === organization.id)
  expect(mine).toMatchObject([{ endpointIds: [endpointId] }])
})

test('an event that is no longer stored cannot be sent again', async () => {
  const organization = await world.organization()
  const { id, path, redeliver } = await delivered(organization)
  await setStatus(world, [id], 'failed')
  await execute(world, 'delete from events where organization_id = $1', [organization.id])
  const reply = await redeliver()
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
  expect(reply.json().detail).toContain('no longer stored')
  expect((await organization.owner.get(path)).json().status).toBe('failed')
})
