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
import { openWorld, type World } from '../../../test/support/world.ts'
import { purgeDeliveries } from './retention.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const attempt = {
  number: 1,
  trigger: 'auto',
  started_at: '2026-11-21T09:30:00.000Z',
  duration_ms: 1,
  request_headers: {},
}

test('deliveries go 30 days after they were made, with their attempts, unless one is to come', async () => {
  const organization = await world.organization()
  const { id } = await endpointOf(organization)
  await makeEvents(organization, 5)
  const ids = (await deliveriesTo(organization.owner, id)).map((each) => each.id)
  for (const [at, status] of ['succeeded', 'failed', 'skipped', 'cancelled'].entries()) {
    await settle(world, ids.slice(at, at + 1), status)
  }
  await recordAttempts(world, organization, { deliveryId: String(ids[0]), attempts: [attempt] })
  const age = async (days: number) => {
    const time = new Date(world.clock.now().getTime() - days * 86_400_000).toISOString()
    await execute(world, 'update webhook_deliveries set created_at = $2 where id = any($1)', [
      ids,
      time,
    ])
    await purgeDeliveries(world.services, AbortSignal.timeout(10_000))
    return (await rowsOf(world, 'webhook_deliveries', organization)).map((row) => row.id)
  }
  expect(await age(29.9)).toEqual(ids)
  expect(await rowsOf(world, 'webhook_attempts', organization)).toHaveLength(1)
  expect(await age(30.1)).toEqual(ids.slice(4))
  expect(await rowsOf(world, 'webhook_attempts', organization)).toEqual([])
  const disable = `update webhook_endpoints set status = 'disabled' where id = $1`
  await execute(world, disable, [id])
  expect(await age(30.1)).toEqual([])
})
