/**
 * `npm run bench -- citus`: the service on clusters of Citus, side by side with the same on one
 * PostgreSQL of the same version, all on the cores of this machine: more workers show what they cost
 * here, not what they would add elsewhere. Needs what `npm run test:citus` starts clusters with.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnCluster, startCluster } from '../../server/test/support/machines/own-cluster.ts'
import { clientFor } from '../tools/client.ts'
import { latenciesOf } from '../tools/latency.ts'
import { measure, type NextRequest } from '../tools/load.ts'
import { quantile } from '../tools/paced.ts'
import { cpuMsWithChildren } from '../tools/processes.ts'
import { startReceiver } from '../tools/receivers.ts'
import { create, list, readOne } from '../tools/requests.ts'
import type { Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'
import { addWorker } from './citus/add-worker.ts'
import { distribute, openSide, query, type Side, shards } from './citus/side.ts'

const isQuick = process.argv.includes('--quick')
const workerCounts = isQuick ? [2] : [1, 2, 4]
const effort = isQuick ? { seconds: 1, rounds: 1 } : { seconds: 5, rounds: 3 }
const connections = 24
const paced = { perSecond: 50, seconds: effort.seconds }
const ports = { plain: 18_086, citus: 18_087 }

export async function benchCitus(): Promise<void> {
  console.log(`${cpus().length} cores, Node ${process.versions.node}, ${connections} connections\n`)
  for (const workers of workerCounts) await compareWith(workers)
  await addWorker({ port: ports.citus, seconds: effort.seconds })
}

/** A side, and the servers that it uses. */
type OnNodes = Side & { nodes: readonly string[] }

async function compareWith(workers: number): Promise<void> {
  const cluster = await startCluster(workers)
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const sides: OnNodes[] = []
  try {
    await query(cluster.url, 'create database plain')
    const nodes = Array.from({ length: workers }, (_, at) => `worker-${at + 1}`)
    const plain = await openSide(urlOf(cluster, 'plain'), join(dataDir, 'plain'), ports.plain)
    sides.push({ ...plain, nodes: ['coordinator'] })
    await distribute(cluster.url)
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

const kinds: Readonly<Record<string, (tenants: Tenant[]) => NextRequest>> = {
  'GET /campaigns/:id': (tenants) => readOne(tenants).ours,
  'GET /campaigns?limit=25': (tenants) => list(tenants).ours,
  'POST /campaigns': (tenants) => create(tenants).ours,
}

async function tableOf(cluster: OwnCluster, sides: readonly OnNodes[]): Promise<string[]> {
  const lines = [
    '| what | PostgreSQL | Citus | ratio | µs of CPU: PostgreSQL | coordinator | workers |',
    '|---|---:|---:|---:|---:|---:|---:|',
  ]
  for (const [what, requests] of Object.entries(kinds)) {
    const [plain, citus] = await inTurns(sides, (side) => rate(cluster, side, requests))
    lines.push(rowOf(what, plain, citus))
  }
  for (const [what, send] of Object.entries(large)) {
    lines.push(timesRow(what, await inTurns(sides, (side) => timed(() => send(side)))))
  }
  const what = `a change to its webhook's arrival, ${paced.perSecond}/s: p50`
  lines.push(timesRow(what, await inTurns(sides, webhookP50)))
  return lines
}

function timesRow(what: string, [plain = [], citus = []]: readonly number[][]): string {
  const [one, other] = [median(plain), median(citus)]
  const ratio = (one / other).toFixed(2)
  return `| ${what} | ${one.toFixed(1)} ms | ${other.toFixed(1)} ms | ${ratio} | | | |`
}

async function webhookP50({ service, tenants }: Side): Promise<number> {
  const [tenant] = tenants
  if (!tenant) throw new Error('there are no tenants')
  const client = clientFor(service.port, tenant)
  const receiver = await startReceiver()
  const endpoint = await client.subscribe(receiver.url)
  const times = await latenciesOf(client, { receiver, ...paced })
  await client.unsubscribe(endpoint)
  receiver.stop()
  return quantile(times, 0.5)
}

/** Both sides under the same conditions, one after the other, several times. */
async function inTurns<T>(
  sides: readonly OnNodes[],
  act: (side: OnNodes) => Promise<T>,
): Promise<T[][]> {
  const found: T[][] = sides.map(() => [])
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [at, side] of sides.entries()) found[at]?.push(await act(side))
  }
  return found
}

type Rate = { perSecond: number; cpuMicros: Readonly<Record<string, number>> }

async function rate(
  cluster: OwnCluster,
  { service, tenants, nodes }: OnNodes,
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
    found[node] = cpuMsWithChildren(await cluster.processOf(node))
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
