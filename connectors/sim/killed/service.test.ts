import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../../../server/src/values/clock.ts'
import { type Service, serve } from '../../../server/test/support/machines/command-line.ts'
import {
  type FreshDatabase,
  migratedDatabase,
  urlOf,
} from '../../../server/test/support/machines/fresh-database.ts'
import { freePort } from '../../../server/test/support/machines/ports.ts'
import { openWorld, type World } from '../../../server/test/support/world.ts'
import { runConnector } from '../../kit/src/connect.ts'
import { connect, deployed, deploymentOf, inNetwork } from '../test/connected.ts'

// The service itself is killed under its connector, with a change on its way.

let database: FreshDatabase
/** A process beside, for what people change while the other is down. */
let world: World
let service: Service
let port: number

beforeAll(async () => {
  database = await migratedDatabase()
  const clock = { ...systemClock, advance: () => {} }
  world = await openWorld({ address: database.address, clock })
  port = await freePort()
  service = await start()
})
afterAll(async () => {
  await service.stop('SIGKILL')
  await world.close()
  await database.drop()
})

const start = () =>
  serve(tmpdir(), {
    FLIGHTDECK_DATABASE_URL: urlOf(database),
    FLIGHTDECK_DATA_DIR: inject('dataDir'),
    FLIGHTDECK_PORT: String(port),
  })

const longest = { timeout: 60_000, interval: 50 }

test('a connector whose service is killed and started again goes on with what is wanted then', async () => {
  const all = await connect(world, service.url)
  const stop = new AbortController()
  const running = runConnector(all.runner({ pollMs: 2_000, renewMs: 1_000 }), stop.signal)
  const id = await deployed(all, { daily_budget: 40 })
  const state = async () => (await deploymentOf(all.owner, id)).state
  await expect.poll(state, longest).toBe('in_sync')
  for (let round = 1; round <= 3; round += 1) {
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 40 + round })
    await pause(Math.random() * 40)
    await service.stop('SIGKILL')
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 50 + round })
    service = await start()
    await expect
      .poll(() => inNetwork(all.network), longest)
      .toMatchObject([{ daily_budget_minor: 5_000 + round * 100, status: 'ENABLED' }])
    await expect.poll(state, longest).toBe('in_sync')
  }
  expect(inNetwork(all.network)).toHaveLength(1)
  stop.abort()
  await running
  await all.close()
})
