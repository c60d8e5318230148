import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  execute,
  makeEvents,
  recordAttempts,
  rowsOf,
  settle,
} from '../../../test/support/deliveries.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { purgeDeliveries } from './retention.ts'

// A purge is for all organizations: it gets a database of its own.
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

const day = 86_400_000
const purge = () => purgeDeliveries(world.services, AbortSignal.timeout(10_000))

test('deliveries go with their week, 30 days after it, unless an attempt is to come', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  await makeEvents(organization, 5)
  const ids = (await deliveriesTo(organization.owner, id)).map((each) => each.id)
  for (const [at, status] of ['succeeded', 'failed', 'skipped', 'cancelled'].entries()) {
    await settle(world, ids.slice(at, at + 1), status)
  }
  await recordAttempts(world, organization, { deliveryId: String(ids[0]), attempts: [attempt] })
  const left = async () =>
    (await rowsOf(world, 'webhook_deliveries', organization)).map((row) => row.id)
  world.clock.advance(29 * day)
  expect(await purge()).toEqual({ dropped: 0 })
  world.clock.advance(8 * day)
  expect(await purge()).toEqual({ dropped: 0 })
  expect(await left()).toEqual(ids)
  expect(await rowsOf(world, 'webhook_attempts', organization)).toHaveLength(1)
  const disable = `update webhook_endpoints set status = 'disabled' where id = $1`
  await execute(world, disable, [id])
  expect(await purge()).toEqual({ dropped: 1 })
  expect(await left()).toEqual([])
  expect(await rowsOf(world, 'webhook_attempts', organization)).toEqual([])
  expect(await purge()).toEqual({ dropped: 0 })
})
