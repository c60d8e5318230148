/**
 * `npm run bench -- connectors`: how soon a change is in the simulated network, what 10,000 deployments
 * cost that do nothing, and a thousand rounds in which the connector is killed at any moment.
 * `--seed <n>` repeats the choices of a run.
 */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import { openMetrics, runConnector } from '../../connectors/kit/src/connect.ts'
import { openLog } from '../../connectors/kit/src/telemetry/log.ts'
import { simAdapter } from '../../connectors/sim/adapter.ts'
import { killedSim } from '../../connectors/sim/killed/killed-sim.ts'
import { killedRounds } from '../../connectors/sim/killed/rounds.ts'
import { openNetwork, type SimNetwork } from '../../connectors/sim/network/server.ts'
import { quantile } from '../tools/paced.ts'
import { startService } from '../tools/processes.ts'
import { factLines } from '../tools/table.ts'
import { metricsToken } from '../tools/vitals.ts'
import { measureIdle } from './parts/idle-deployments.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_096
const rounds = isQuick ? 10 : 1_000
const changes = isQuick ? 20 : 300
const baseUrl = `http://127.0.0.1:${port}/api/v1`
const login = { email: 'bench@example.com', password: 'correct horse battery staple' }
const env = {
  FLIGHTDECK_SIM: 'true',
  FLIGHTDECK_METRICS_TOKEN: metricsToken,
  FLIGHTDECK_ADMIN_EMAIL: login.email,
  FLIGHTDECK_ADMIN_PASSWORD: login.password,
}

export async function benchConnectors(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  let service = await startService(dataDir, port, { env })
  const restart = async () => {
    await service.stop()
    service = await startService(dataDir, port, { env })
    return service
  }
  const network = await openNetwork()
  try {
    const owner = createFlightdeck({ baseUrl, login })
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    console.log((await measureChanges(owner, network)).join('\n'))
    console.log((await measureKills(owner, network)).join('\n'))
    // Last: the connectors that are killed would hold this account, too.
    const account = await connected(owner, network, 'idle')
    const idle = { owner, network, restart, dataDir, baseUrl, account }
    console.log(factLines(await measureIdle(idle)).join('\n'))
  } finally {
    await network.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A profile with an account of the network, and a key for its connector. */
async function connected(owner: Flightdeck, network: SimNetwork, accountRef: string) {
  network.control.openAccount({ id: accountRef, currency: 'USD', time_zone: 'UTC' })
  const fields = { name: accountRef, platform: 'sim' as const, currency: 'USD' }
  const { id: profileId } = await owner.profiles.create({ ...fields, account_ref: accountRef })
  const { key } = await owner.apiKeys.create({ name: accountRef, role: 'connector' })
  return { profileId, key: String(key), accountRef }
}

/** The time from asking for a change until the network has it, the answer included. */
async function measureChanges(owner: Flightdeck, network: SimNetwork): Promise<string[]> {
  const { profileId, key, accountRef } = await connected(owner, network, 'changed')
  const stop = new AbortController()
  const running = runConnector(
    {
      flightdeck: createFlightdeck({ baseUrl, token: key }),
      adapter: simAdapter({ url: network.url }),
      instance: 'bench',
      profileIds: [profileId],
      readCredential: async () => 'sim',
      log: openLog(() => {}),
      metrics: openMetrics(),
    },
    stop.signal,
  )
  const { id } = await owner.campaigns.create({
    name: 'Changed',
    objective: 'sales',
    profile_id: profileId,
    daily_budget: 10,
    currency: 'USD',
  })
  await owner.campaigns.launch(id)
  await owner.campaigns.putDeployment(id, { mode: 'create' })
  const shows = (minor: number) =>
    network.control
      .campaigns(accountRef)
      .some(({ versions }) => versions.at(-1)?.values?.daily_budget_minor === minor)
  while (!shows(1_000)) await sleep(10)
  await sleep(1_000)
  const times: number[] = []
  for (let at = 1; at <= changes; at += 1) {
    const begun = performance.now()
    await owner.campaigns.update(id, { daily_budget: 10 + at })
    while (!shows(1_000 + at * 100)) await sleep(1)
    times.push(performance.now() - begun)
    // A person's pace: the change before is reported by then.
    await sleep(100)
  }
  stop.abort()
  await running
  const ms = (share: number) => `${quantile(times, share).toFixed(0)} ms`
  return factLines([
    [`${changes} changes until they are in the network, p50`, ms(0.5)],
    ['p99', ms(0.99)],
  ])
}

async function measureKills(owner: Flightdeck, network: SimNetwork): Promise<string[]> {
  const seed = seedGiven() ?? randomInt(1, 2 ** 31)
  const account = await connected(owner, network, 'killed')
  const random = seeded(seed)
  const { accountRef, ...of } = account
  const killed = killedSim(network, accountRef)
  const verdict = await killedRounds({ baseUrl, owner, network: killed, rounds, random, ...of })
  const { campaigns, duplicates, excesses, unfinished } = verdict
  for (const each of [...duplicates, ...excesses, ...unfinished]) console.error(each)
  if (duplicates.length + excesses.length + unfinished.length > 0) process.exitCode = 1
  return factLines([
    [
      `${rounds} rounds of ${campaigns} campaigns, seed ${seed}: made twice`,
      String(duplicates.length),
    ],
    ['writes that spend more than was wanted', String(excesses.length)],
    ['not in sync in the end', String(unfinished.length)],
  ])
}

function seedGiven(): number | undefined {
  const at = process.argv.indexOf('--seed')
  return at < 0 ? undefined : Number(process.argv[at + 1])
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
