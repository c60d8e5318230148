import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/values/clock.ts'
import { openWorld, type World } from '../../../server/test/support/world.ts'
import { accountRef, connect } from '../test/connected.ts'
import { killedSim } from './killed-sim.ts'
import { clientOf, killedRounds } from './rounds.ts'

// The bench has a thousand rounds: npm run bench -- connectors

let world: World
let address: string

beforeAll(async () => {
  world = await openWorld({ clock: { ...systemClock, advance: () => {} } })
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

test('a connector that is killed at any moment makes nothing twice, spends no more, and converges', async () => {
  const { owner, key, profile, network, close } = await connect(world, address)
  const baseUrl = `${address}/api/v1`
  const verdict = await killedRounds({
    baseUrl,
    owner: clientOf(baseUrl, owner.token ?? ''),
    key,
    profileId: profile,
    network: killedSim(network, accountRef),
    rounds: 15,
    random: Math.random,
  })
  await close()
  expect(verdict).toMatchObject({ duplicates: [], excesses: [], unfinished: [] })
})
