import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/values/clock.ts'
import { openWorld, type World } from '../../../server/test/support/world.ts'
import { clientOf, type KilledNetwork, killedRounds } from '../../sim/killed/rounds.ts'
import type { GoogleFake } from '../fake/server.ts'
import { connect } from '../test/connected.ts'
import { customerId } from '../test/credential.ts'
import { declared } from '../test/opened.ts'

let world: World
let address: string

beforeAll(async () => {
  world = await openWorld({ clock: { ...systemClock, advance: () => {} } })
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const faults = [
  { kind: 'lose_after', on: 'write', rate: 0.1 },
  { kind: 'lose_before', on: 'write', rate: 0.1 },
  { kind: 'concurrent', on: 'write', rate: 0.05 },
  { kind: 'transient', rate: 0.05 },
  { kind: 'slow', rate: 0.3, ms: 30 },
] as const

function killedGoogle({ url, control, counts }: GoogleFake): KilledNetwork {
  const microsPerMinor = 10_000
  return {
    url,
    program: join(import.meta.dirname, 'connector.ts'),
    settings: declared,
    asked: () => [...counts.values()].reduce((all, each) => all + each, 0),
    disturb: (isOn) => control.setFaults(isOn ? faults : []),
    written: () =>
      control.account(customerId).versions.map(({ id, at, status, micros, marks }, index) => ({
        ...{ id, at, revision: index + 1, mark: marks[0]?.slice(3) ?? '' },
        ...{ isEnabled: status === 'ENABLED', daily: Number(micros) / microsPerMinor },
      })),
    marks: () => control.campaigns(customerId).map(({ labels }) => labels.join()),
  }
}

test('a connector that is killed at any moment makes nothing twice, spends no more, and converges', async () => {
  const { owner, key, profile, fake, close } = await connect(world, address)
  const baseUrl = `${address}/api/v1`
  const verdict = await killedRounds({
    ...{ baseUrl, key, profileId: profile, rounds: 15, random: Math.random },
    owner: clientOf(baseUrl, owner.token ?? ''),
    network: killedGoogle(fake),
  })
  await close()
  expect(verdict).toMatchObject({ duplicates: [], excesses: [], unfinished: [] })
})
