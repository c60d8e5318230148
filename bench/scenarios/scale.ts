/**
 * `npm run bench -- scale`: the service on an external PostgreSQL and Redis: ratios to the bare
 * yardstick, growth with the number of campaigns, several processes, a greedy organization,
 * overload, and a day's work in ten minutes.
 */
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config/config.ts'
import type { Services } from '../../server/src/kernel/context.ts'
import { openServices } from '../../server/src/services.ts'
import { compare, type Effort } from '../tools/compare.ts'
import { type Measured, measure, type NextRequest, requestText } from '../tools/load.ts'
import { type Outside, openOutside } from '../tools/outside.ts'
import { type Paced, pace, paceFor, quantile } from '../tools/paced.ts'
import { cpuMsOf, type Running, startService, startYardstick } from '../tools/processes.ts'
import { create, list, mixed, readOne } from '../tools/requests.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { comparisonLines, factLines, median } from '../tools/table.ts'
import { endurance, overload } from './parts/endurance.ts'

const isQuick = process.argv.includes('--quick')
const effort: Effort = isQuick ? { seconds: 0.5, rounds: 1 } : { seconds: 5, rounds: 3 }
const campaignsEach = isQuick ? 50 : 500
/**
 * Organizations at the start and at the end: 10,000 and 5,000,000 campaigns, or `--campaigns=…`.
 */
const given = process.argv.find((word) => word.startsWith('--campaigns='))?.split('=')[1]
const grown = Number(given ?? 5_000_000) / campaignsEach
const organizations = isQuick ? { few: 4, many: 20 } : { few: 20, many: grown }
const measured = isQuick ? 4 : 20
const port = 18_084

type Facts = (readonly [string, string])[]
type Bench = { outside: Outside; services: Services; tenants: Tenant[] }

export async function benchScale(): Promise<void> {
  const outside = await openOutside()
  try {
    const first = await startService(outside.dataDir, port, outside)
    const config = { ...outside.env, FLIGHTDECK_DATA_DIR: outside.dataDir }
    const services = await openServices(readConfig(config), outside.address)
    const size = {
      organizations: organizations.few - 1,
      campaignsEach,
      campaignsOfLargest: campaignsEach,
    }
    const tenants = await seed(services, outside.address, size)
    const bench = { outside, services, tenants }
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    print(comparisonLines(await ratios(bench, first)))
    const growth = await grow(bench)
    await first.stop()
    print(factLines([...growth, ...(await processes(bench)), ...(await greedy(bench))]))
    print(factLines([...(await overload(bench)), ...(await endurance(bench))]))
    await services.database.close()
  } finally {
    await outside.close()
  }
}

const print = (lines: string[]) => console.log(`${lines.join('\n')}\n`)

async function ratios({ outside, tenants }: Bench, service: Running) {
  const yardstick = await startYardstick(outside.address)
  const pair = { service, yardstick }
  const rows = [
    await compare('GET /campaigns/:id', pair, { requests: readOne(tenants), effort }),
    await compare('GET /campaigns?limit=25', pair, { requests: list(tenants), effort }),
    await compare('POST /campaigns', pair, { requests: create(tenants), effort }),
  ]
  await yardstick.stop()
  return rows
}

const getOf =
  (tenants: Tenant[], path: string): NextRequest =>
  (turn) => {
    const { token } = tenants[turn % tenants.length] as Tenant
    return requestText({ method: 'GET', path: `/api/v1${path}`, token })
  }

/** The same organizations are measured before and after, while others are added. */
async function grow({ outside, services, tenants }: Bench): Promise<Facts> {
  const asked = tenants.slice(0, measured)
  const requests: Record<string, NextRequest> = {
    'GET /campaigns/:id': readOne(asked).ours,
    'GET /campaigns?limit=25': list(asked).ours,
    'GET /campaigns?status=draft&label=emea': getOf(asked, '/campaigns?status=draft&label=emea'),
    'GET /campaigns?q=gn+49': getOf(asked, '/campaigns?q=gn%2049'),
    'POST /campaigns': create(asked).ours,
  }
  const timeAll = async () => {
    const times: Record<string, number> = {}
    for (const [what, next] of Object.entries(requests)) {
      const runs: Measured[] = []
      for (let round = 0; round <= effort.rounds; round += 1) {
        runs.push(await measure({ port, next, seconds: effort.seconds, connections: 2 }))
      }
      times[what] = median(runs.slice(1).map(({ p50 }) => p50))
    }
    return times
  }
  const few = await timeAll()
  const more = organizations.many - organizations.few
  const size = { organizations: more - 1, campaignsEach, campaignsOfLargest: campaignsEach }
  await seed(services, outside.address, size)
  const many = await timeAll()
  const counts = [organizations.few, organizations.many].map((count) =>
    (count * campaignsEach).toLocaleString('en'),
  )
  return Object.keys(requests).map((what) => {
    const [one = 0, other = 0] = [few[what], many[what]]
    const change = `${one.toFixed(2)} ms · ${other.toFixed(2)} ms (${(other / one).toFixed(2)} ×)`
    return [`${what}, p50 with ${counts.join(' · ')} campaigns`, change]
  })
}

/** Mean CPU cost of a request when three processes share the work. */
async function processes(bench: Bench): Promise<Facts> {
  const one = await costWith(bench, ['all'])
  const three = await costWith(bench, ['all', 'api', 'api'])
  const change = `${one.toFixed(0)} µs · ${three.toFixed(0)} µs (${(three / one).toFixed(2)} ×)`
  return [['CPU of a request, one process · three', change]]
}

async function costWith({ outside, tenants }: Bench, roles: string[]): Promise<number> {
  const running = await Promise.all(
    roles.map((role, at) => startService(outside.dataDir, port + at, { ...outside, role })),
  )
  // The same mix for any number of processes: a create costs several reads.
  const next = mixed(tenants)
  const load = async (seconds: number) => {
    const runs = running.map((service) =>
      measure({ port: service.port, next, seconds, connections: 24 / running.length }),
    )
    const all = await Promise.all(runs)
    return all.reduce((sum, { perSecond }) => sum + perSecond * seconds, 0)
  }
  // Each of three processes sees a third of the requests but must be equally warm.
  await load(effort.seconds * running.length)
  const cpu = () => running.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
  const before = cpu()
  const count = await load(effort.seconds * effort.rounds)
  const used = cpu() - before
  await Promise.all(running.map((service) => service.stop()))
  return (used * 1000) / count
}

const planLimit = 1_000
const windowMs = 61_000

/** One organization sends twenty times its limit while others work as usual. */
async function greedy({ outside, tenants }: Bench): Promise<Facts> {
  const limits = { FLIGHTDECK_PLAN_LIMITS: `zion=${planLimit}` }
  const env = { ...outside.env, ...limits }
  const service = await startService(outside.dataDir, port, { env })
  const [greedyOne, ...others] = tenants as [Tenant, ...Tenant[]]
  const read = ({ token, campaignIds }: Tenant, turn: number): Paced => ({
    port,
    path: `/api/v1/campaigns/${campaignIds[turn % campaignIds.length]}`,
    token,
  })
  const perSecond = Math.min(200, others.length * 10)
  const usual = {
    perSecond,
    next: (turn: number) => read(others[turn % others.length] as Tenant, turn),
  }
  const seconds = effort.seconds * effort.rounds
  // Earlier measurements used up these windows.
  await sleep(windowMs)
  await paceFor(effort.seconds, usual)
  const alone = quantile(await paceFor(seconds, usual), 0.99)
  const flood = pace({
    perSecond: (20 * planLimit) / 60,
    next: (turn) => read(greedyOne, turn),
  })
  // Until the greedy organization has used up its window.
  await paceFor(isQuick ? 1 : 5, usual)
  const beside = quantile(await paceFor(seconds, usual), 0.99)
  const answers = await flood.end()
  await service.stop()
  const refused = answers.get(429)?.length ?? 0
  const change = `${alone.toFixed(1)} ms · ${beside.toFixed(1)} ms (${(beside / alone).toFixed(2)} ×)`
  return [
    [`p99 of ${perSecond} reads a second alone · beside one at 20 × its limit`, change],
    ['of that one’s requests refused', `${refused} of ${[...answers.values()].flat().length}`],
  ]
}
