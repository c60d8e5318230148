import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  execute,
  makeEvents,
  recordAttempts,
  rowsOf,
  setStatus,
} from '../../../test/support/deliveries.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { purgeDeliveries } from './retention.ts'

// A purge affects all organizations: it gets its own database.
let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const attempt = {
  number: 1,
  trigger: 'auto',
  started_at: '2026-11-21T09:30:00.000Z',
  duration_ms: 1,
  request_headers: {},
}

const left = async (organization: TestOrganization) =>
  (await rowsOf(world, 'webhook_deliveries', organization)).map((row) => row.id)

const day = 86_400_000
const purge = () => purgeDeliveries(world.services, AbortSignal.timeout(10_000))

test('deliveries are dropped with their week, 30 days after it, unless an attempt is pending', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  await makeEvents(organization, 5)
  const ids = (await deliveriesTo(organization.owner, id)).map((each) => each.id)
  for (const [at, status] of ['succeeded', 'failed', 'skipped', 'cancelled'].entries()) {
    await setStatus(world, ids.slice(at, at + 1), status)
  }
  await recordAttempts(world, organization, { deliveryId: String(ids[0]), attempts: [attempt] })
  world.clock.advance(29 * day)
  expect(await purge()).toEqual({ dropped: 0 })
  world.clock.advance(8 * day)
  expect(await purge()).toEqual({ dropped: 0 })
  expect(await left(organization)).toEqual(ids)
  expect(await rowsOf(world, 'webhook_attempts', organization)).toHaveLength(1)
  const disable = `update webhook_endpoints set status = 'disabled' where id = $1`
  await execute(world, disable, [id])
  expect(await purge()).toEqual({ dropped: 1 })
  expect(await left(organization)).toEqual([])
  expect(await rowsOf(world, 'webhook_attempts', organization)).toEqual([])
  expect(await purge()).toEqual({ dropped: 0 })
})

test('an attempt due in years keeps no week, but one by a clock that is ahead does', async () => {
  const [organization, sandbox] = [
    await world.organization(),
    await world.organization({ sandbox: true }),
  ]
  const years = 400 * day
  const later = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()
  const postpone = `update webhook_deliveries set next_attempt_at = $2 where endpoint_id = $1`
  const pause = `update webhook_endpoints set paused_until = $2 where id = $1`
  const [late, paused] = [await endpointOf(organization), await endpointOf(organization)]
  await makeEvents(organization, 1)
  await execute(world, postpone, [late.id, later(years)])
  await execute(world, pause, [paused.id, later(years)])
  await sandbox.owner.post('/sandbox/clock', { advance_seconds: years / 1_000 })
  const { id } = await endpointOf(sandbox)
  await makeEvents(sandbox, 1)
  world.clock.advance(37 * day)
  await purge()
  expect(await left(organization)).toHaveLength(3)
  const disable = `update webhook_endpoints set status = 'disabled' where id = $1`
  await execute(world, disable, [id])
  await purge()
  expect([await left(organization), await left(sandbox)]).toEqual([[], []])
})
