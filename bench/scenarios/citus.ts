/**
 * `npm run bench -- citus`: the service on clusters of Citus, side by side with the same on one
 * PostgreSQL of the same version, all on the cores of this machine: more workers show what they cost
 * here, not what they would add elsewhere. Needs what `npm run test:citus` starts clusters with.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import { distributeDatabase } from '../../server/src/database/upkeep/citus/distribute.ts'
import { migrate } from '../../server/src/database/upkeep/migrate.ts'
import { openServices } from '../../server/src/services.ts'
import { type OwnCluster, startCluster } from '../../server/test/support/machines/own-cluster.ts'
import { measure, type NextRequest } from '../tools/load.ts'
import { cpuMsOf, type Running, startService } from '../tools/processes.ts'
import { create, list, readOne } from '../tools/requests.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const workerCounts = isQuick ? [2] : [1, 2, 4]
const effort = isQuick ? { seconds: 1, rounds: 1 } : { seconds: 5, rounds: 3 }
const size = { organizations: 24, campaignsEach: 100, campaignsOfLargest: 1_000 }
const connections = 24
const shards = 8
const ports = { plain: 18_086, citus: 18_087 }

export async function benchCitus(): Promise<void> {
  console.log(`${cpus().length} cores, Node ${process.versions.node}, ${connections} connections\n`)
  for (const workers of workerCounts) await compareWith(workers)
}

/** A service with its tenants, and the servers that it uses. */
type Side = { service: Running; tenants: Tenant[]; nodes: readonly string[] }

async function compareWith(workers: number): Promise<void> {
  const cluster = await startCluster(workers)
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const sides: Side[] = []
  try {
    await query(cluster.url, 'create database plain')
    const nodes = Array.from({ length: workers }, (_, at) => `worker-${at + 1}`)
    const plain = await openSide(urlOf(cluster, 'plain'), join(dataDir, 'plain'), ports.plain)
    sides.push({ ...plain, nodes: ['coordinator'] })
    await migrate({ connectionString: cluster.url })
    await distributeDatabase({ connectionString: cluster.url }, { shards, report: () => {} })
    const onCitus = await openSide(cluster.url, join(dataDir, 'citus'), ports.citus)
    sides.push({ ...onCitus, nodes: ['coordinator', ...nodes] })
    console.log(`\n${workers} ${workers === 1 ? 'worker' : 'workers'}, ${shards} shards a table\n`)
    console.log((await tableOf(cluster, sides)).join('\n'))
  } finally {
    for (const { service } of sides) await service.stop()
    await cluster.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const urlOf = ({ url }: OwnCluster, database: string) => url.replace(/[^/]*$/, database)

async function openSide(url: string, dataDir: string, port: number): Promise<Omit<Side, 'nodes'>> {
  const service = await startService(dataDir, port, { env: { FLIGHTDECK_DATABASE_URL: url } })
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const address = { connectionString: url }
  const services = await openServices(readConfig(env), address)
  try {
    return { service, tenants: await seed(services, address, size) }
  } finally {
    await services.database.close()
  }
}

const kinds: Readonly<Record<string, (tenants: Tenant[]) => NextRequest>> = {
  'GET /campaigns/:id': (tenants) => readOne(tenants).ours,
  'GET /campaigns?limit=25': (tenants) => list(tenants).ours,
  'POST /campaigns': (tenants) => create(tenants).ours,
}

async function tableOf(cluster: OwnCluster, sides: readonly Side[]): Promise<string[]> {
  const lines = [
    '| what | PostgreSQL | Citus | ratio | µs of CPU: PostgreSQL | coordinator | workers |',
    '|---|---:|---:|---:|---:|---:|---:|',
  ]
  for (const [what, requests] of Object.entries(kinds)) {
    const [plain, citus] = await inTurns(sides, (side) => rate(cluster, side, requests))
    lines.push(rowOf(what, plain, citus))
  }
  for (const [what, send] of Object.entries(large)) {
    const [plain = [], citus = []] = await inTurns(sides, (side) => timed(() => send(side)))
    const [one, other] = [median(plain), median(citus)]
    lines.push(
      `| ${what} | ${one.toFixed(0)} ms | ${other.toFixed(0)} ms | ${(one / other).toFixed(2)} | | | |`,
    )
  }
  return lines
}

/** Both sides under the same conditions, one after the other, several times. */
async function inTurns<T>(sides: readonly Side[], act: (side: Side) => Promise<T>): Promise<T[][]> {
  const found: T[][] = sides.map(() => [])
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [at, side] of sides.entries()) found[at]?.push(await act(side))
  }
  return found
}

type Rate = { perSecond: number; cpuMicros: Readonly<Record<string, number>> }

async function rate(
  cluster: OwnCluster,
  { service, tenants, nodes }: Side,
  requests: (tenants: Tenant[]) => NextRequest,
): Promise<Rate> {
  const before = await cpuOf(cluster, nodes)
  const { port } = service
  const { seconds } = effort
  const { perSecond, faults } = await measure({
    port,
    next: requests(tenants),
    seconds,
    connections,
  })
  if (faults > 0) throw new Error(`${faults} requests failed`)
  const after = await cpuOf(cluster, nodes)
  const count = perSecond * seconds
  const cpuMicros = Object.fromEntries(
    nodes.map((node) => [node, (((after[node] ?? 0) - (before[node] ?? 0)) * 1_000) / count]),
  )
  return { perSecond, cpuMicros }
}

async function cpuOf(
  cluster: OwnCluster,
  nodes: readonly string[],
): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const node of nodes) {
    const pids = await cluster.processesOf(node)
    found[node] = pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  }
  return found
}

function rowOf(what: string, plain: readonly Rate[] = [], citus: readonly Rate[] = []): string {
  const [one, other] = [plain, citus].map((rates) =>
    median(rates.map(({ perSecond }) => perSecond)),
  )
  const cpu = (rates: readonly Rate[], isAsked: (node: string) => boolean) =>
    median(
      rates.map(({ cpuMicros }) =>
        Object.entries(cpuMicros)
          .filter(([node]) => isAsked(node))
          .reduce((sum, [, micros]) => sum + micros, 0),
      ),
    ).toFixed(0)
  const isCoordinator = (node: string) => node === 'coordinator'
  const figures = [
    `${one?.toFixed(0)}/s`,
    `${other?.toFixed(0)}/s`,
    ((other ?? Number.NaN) / (one ?? Number.NaN)).toFixed(2),
    cpu(plain, isCoordinator),
    cpu(citus, isCoordinator),
    cpu(citus, (node) => !isCoordinator(node)),
  ]
  return `| ${what} | ${figures.join(' | ')} |`
}

let budget = 10

/** Single requests about a thousand campaigns of one organization. */
const large: Readonly<Record<string, (side: Side) => Promise<void>>> = {
  'a change set of 1,000 budgets, proposed and applied': async (side) => {
    budget += 1
    const operations = largestOf(side).campaignIds.map((id) => ({
      ...{ op: 'update', id },
      body: { daily_budget: budget },
    }))
    const { id } = await send(side, '/change_sets', { title: 'Budgets', operations })
    await send(side, `/change_sets/${id}/apply`)
  },
  '1,000 rows of results': async (side) => {
    const reported_at = new Date().toISOString()
    const date = reported_at.slice(0, 10)
    const rows = largestOf(side)
      .campaignIds.filter((_, at) => at % 3 !== 2)
      .map((campaign_id) => ({ campaign_id, date, spend: Math.random() * 10 }))
    await send(side, '/results', { source: 'bench', reported_at, rows })
  },
}

function largestOf({ tenants }: Side): Tenant {
  const [largest] = tenants.toSorted((a, b) => b.campaignIds.length - a.campaignIds.length)
  if (!largest) throw new Error('there are no tenants')
  return largest
}

async function send(side: Side, path: string, body: object = {}): Promise<{ id: string }> {
  const { token } = largestOf(side)
  const reply = await fetch(`http://127.0.0.1:${side.service.port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

async function timed(act: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
