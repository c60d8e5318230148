/**
 * `npm run bench -- bulk`: a bulk request of 100 creations against 100 single requests, the cost of
 * dry runs, and many campaigns that become due at once. Runs the real service on its embedded
 * database.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { type Running, startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'
import { benchDue } from './parts/due.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_082
const count = 100
const rounds = isQuick ? 5 : 40

export async function benchBulk(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const lines = await run(dataDir)
    console.log(`${cpus().length} cores, Node ${process.versions.node}, ${rounds} rounds\n`)
    console.log(lines.join('\n'))
    console.log(`\n${(await benchDue()).join('\n')}`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function run(dataDir: string): Promise<string[]> {
  const service = await startService(dataDir, port)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const size = { organizations: 1, campaignsEach: 100, campaignsOfLargest: 100 }
  const [tenant] = await seed(services, address, size)
  await services.database.close()
  if (!tenant) throw new Error('there are no tenants')
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 10 })
  try {
    return await compare(service, waysOf(pool, tenant))
  } finally {
    await pool.close()
    await service.stop()
  }
}

type Ways = Record<string, () => Promise<void>>

/** Ways to make 100 campaigns. */
function waysOf(pool: Pool, { token, profileId }: Tenant): Ways {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<void> => {
    const options = { path: `/api/v1${path}`, method: 'POST', headers } as const
    const reply = await pool.request({ ...options, body: JSON.stringify(body) })
    const text = await reply.body.text()
    if (reply.statusCode >= 300) throw new Error(`${path}: ${reply.statusCode} ${text}`)
  }
  const fields = { name: 'Spring Sale', objective: 'sales', profile_id: profileId }
  const body = { ...fields, daily_budget: 33.51, currency: 'USD' }
  const singles = async (atOnce: number, path = '/campaigns') => {
    const each = async () => {
      for (let made = 0; made < count / atOnce; made += 1) await post(path, body)
    }
    await Promise.all(Array.from({ length: atOnce }, each))
  }
  const operations: object[] = Array.from({ length: count }, () => ({ op: 'create', body }))
  const taken = operations.with(50, { op: 'create', body: { ...body, external_id: 'taken' } })
  return {
    'in sequence': () => singles(1),
    '10 in flight': () => singles(10),
    'in sequence, only tried out': () => singles(1, '/campaigns?validate_only=true'),
    'one bulk, atomic': () => post('/campaigns/bulk', { mode: 'atomic', operations }),
    'one bulk, partial': () => post('/campaigns/bulk', { mode: 'partial', operations }),
    'the same, with a taken external id': () =>
      post('/campaigns/bulk', { mode: 'partial', operations: taken }),
  }
}

type Cost = { wallMs: number[]; cpuMs: number[] }

/** Alternates, so that drift of the machine affects all variants alike. */
async function compare({ pid }: Running, ways: Ways): Promise<string[]> {
  for (let round = 0; round < 3; round += 1) for (const way of Object.values(ways)) await way()
  const costs = Object.entries(ways).map(([name, way]) => {
    const cost: Cost = { wallMs: [], cpuMs: [] }
    return { name, way, cost }
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const { way, cost } of costs) {
      const [begun, cpu] = [performance.now(), cpuMsOf(pid)]
      await way()
      cost.wallMs.push(performance.now() - begun)
      cost.cpuMs.push(cpuMsOf(pid) - cpu)
    }
  }
  return tableOf(costs)
}

function tableOf(costs: { name: string; cost: Cost }[]): string[] {
  const [sequence, flight] = costs.map(({ cost }) => figuresOf(cost))
  if (!sequence || !flight) return []
  const rows = costs.map(({ name, cost }) => {
    const own = figuresOf(cost)
    const [wall, cpu] = [ratios(own, sequence), ratios(own, flight)]
    return `| ${name} | ${own.wall.toFixed(1)} ms | ${own.cpu.toFixed(1)} ms | ${wall} | ${cpu} |`
  })
  const head = `| ${count} campaigns | wall, median | CPU, mean | of those in sequence: wall · CPU | of those in flight |`
  return [head, '|---|---:|---:|---:|---:|', ...rows]
}

type Figures = { wall: number; cpu: number }

/** CPU time advances in steps of 10 ms, so only its mean is meaningful. */
const figuresOf = ({ wallMs, cpuMs }: Cost): Figures => ({
  wall: median(wallMs),
  cpu: cpuMs.reduce((sum, each) => sum + each, 0) / cpuMs.length,
})

const ratios = (one: Figures, other: Figures) =>
  `${(one.wall / other.wall).toFixed(2)} · ${(one.cpu / other.cpu).toFixed(2)}`

/** CPU time of the service and its child processes, mostly its database. */
function cpuMsOf(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const within = new Set([pid])
  // Children usually have higher ids than their parents; a second pass covers wrapped ids.
  for (let turn = 0; turn < 3; turn += 1) {
    for (const each of stats) if (within.has(each.parent)) within.add(each.pid)
  }
  const ticks = stats.filter((each) => within.has(each.pid)).map((each) => each.ticks)
  return ticks.reduce((sum, each) => sum + each, 0) * 10
}

function statOf(name: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    // Includes children that have exited.
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    return [{ pid: Number(name), parent, ticks }]
  } catch {
    return []
  }
}
