/**
 * `npm run bench -- change-sets`: how long change sets take to be proposed and applied, what other
 * organizations notice, and what they cost in memory. Runs the real service on its embedded database.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { type Pace, pace, paceFor, quantile } from '../tools/paced.ts'
import { type Running, startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { factLines, median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_084
const rounds = isQuick ? 3 : 10
const readsPerSecond = 100
const largest = 1_000

export async function benchChangeSets(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const service = await startService(dataDir, port)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 4 })
  try {
    const address = await findRunningEmbedded(dataDir)
    if (!address) throw new Error('the service runs no embedded database')
    const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
    const services = await openServices(readConfig(env), address)
    const size = { organizations: 5, campaignsEach: 100, campaignsOfLargest: largest }
    const tenants = await seed(services, address, size)
    await services.database.close()
    console.log(`${cpus().length} cores, Node ${process.versions.node}, ${rounds} rounds\n`)
    console.log((await measure(service, pool, tenants)).join('\n'))
  } finally {
    await pool.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Client = {
  send(method: 'GET' | 'POST', path: string, body?: object): Promise<{ id: string }>
}

const clientOf = (pool: Pool, { token }: Tenant): Client => ({
  async send(method, path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options = { path: `/api/v1${path}`, method, headers }
    const reply = await pool.request({ ...options, ...(body && { body: JSON.stringify(body) }) })
    const text = await reply.body.text()
    if (reply.statusCode >= 300) throw new Error(`${path}: ${reply.statusCode} ${text}`)
    return JSON.parse(text)
  },
})

type Times = { proposed: number[]; applied: number[] }

async function measure(service: Running, pool: Pool, tenants: Tenant[]): Promise<string[]> {
  const [own, ...others] = tenants.toSorted((a, b) => b.campaignIds.length - a.campaignIds.length)
  if (!own) throw new Error('there are no tenants')
  const client = clientOf(pool, own)
  await roundsOf(client, own, 100)
  const hundred = await roundsOf(client, own, 100)
  const lists = await listTimes(client)
  const reads = readsOf(others)
  await paceFor(2, reads)
  const before = quantile(await paceFor(isQuick ? 3 : 10, reads), 0.99)
  const memoryBefore = peakOf(service)
  const reading = pace(reads)
  const thousand = await roundsOf(client, own, largest)
  const answers = await reading.end()
  const during = quantile(answers.get(200) ?? [], 0.99)
  const more = Math.max(0, peakOf(service) - memoryBefore)
  return factLines([
    ['100 budgets, proposed · applied · both', figures(hundred)],
    [`${largest} budgets, proposed · applied · both`, figures(thousand)],
    [
      `p99 of ${readsPerSecond} reads a second of others before · meanwhile`,
      `${before.toFixed(1)} ms · ${during.toFixed(1)} ms (${(during / before).toFixed(2)} ×)`,
    ],
    ['peak memory of the process, more than before', `${more.toFixed(0)} MB`],
    ['a list of 25 campaigns · change sets', lists],
  ])
}

function figures({ proposed, applied }: Times): string {
  const [first, second] = [median(proposed), median(applied)]
  return [first, second, first + second].map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' · ')
}

let budget = 10

/** Each round raises every budget by one. */
async function roundsOf(client: Client, { campaignIds }: Tenant, count: number): Promise<Times> {
  const times: Times = { proposed: [], applied: [] }
  for (let round = 0; round < rounds; round += 1) {
    budget += 1
    const operations = campaignIds
      .slice(0, count)
      .map((id) => ({ op: 'update', id, body: { daily_budget: budget } }))
    const begun = performance.now()
    const { id } = await client.send('POST', '/change_sets', { title: 'Budgets', operations })
    const between = performance.now()
    await client.send('POST', `/change_sets/${id}/apply`)
    times.proposed.push(between - begun)
    times.applied.push(performance.now() - between)
  }
  return times
}

/** Change sets that are open, so that each is checked. */
async function listTimes(client: Client): Promise<string> {
  const { data } = Object(await client.send('GET', '/campaigns?limit=10'))
  for (let made = 0; made < 25; made += 1) {
    const operations = data.map(({ id }: { id: string }) => ({
      op: 'update',
      id,
      body: { notes: `Round ${made}` },
    }))
    await client.send('POST', '/change_sets', { title: 'Notes', operations })
  }
  const timeOf = async (path: string): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < 200; round += 1) {
      const begun = performance.now()
      await client.send('GET', path)
      times.push(performance.now() - begun)
    }
    return median(times)
  }
  await timeOf('/campaigns')
  const [campaigns, changeSets] = [
    await timeOf('/campaigns'),
    await timeOf('/change_sets?status=open'),
  ]
  return `${campaigns.toFixed(2)} ms · ${changeSets.toFixed(2)} ms`
}

/** Campaigns round-robin across the other organizations. */
const readsOf = (tenants: Tenant[]): Pace => ({
  perSecond: readsPerSecond,
  next: (turn) => {
    const { token, campaignIds } = tenants[turn % tenants.length] as Tenant
    return { port, path: `/api/v1/campaigns/${campaignIds[turn % campaignIds.length]}`, token }
  },
})

/** The peak memory of the process, in MB. */
function peakOf({ pid }: Running): number {
  const [, kilobytes = '0'] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
