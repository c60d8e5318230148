/**
 * `npm run bench -- pacing`: the pacing of 10,000 campaigns with 400 days of results each, on the
 * embedded database: lists, reports that are judged, the turn of a day, and how soon alerts arrive.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { quantile } from '../tools/paced.ts'
import { cpuMsOf, startService } from '../tools/processes.ts'
import { startReceiver } from '../tools/receivers.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { daysAgo, seedPacing } from '../tools/seed-pacing.ts'
import { factLines, median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_089
const given = process.argv.find((word) => word.startsWith('--days='))?.split('=')[1]
const size = { campaigns: isQuick ? 1_000 : 10_000, days: Number(given ?? (isQuick ? 60 : 400)) }
const rounds = isQuick ? 5 : 40
const alertCount = isQuick ? 20 : 300

export async function benchPacing(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const facts = await run(dataDir)
    const rows = (size.campaigns * size.days).toLocaleString('en')
    console.log(`${cpus().length} cores, Node ${process.versions.node}, ${rows} rows\n`)
    console.log(factLines(facts).join('\n'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Facts = (readonly [string, string])[]
type Bench = { pool: Pool; tenant: Tenant; pid: number }

async function run(dataDir: string): Promise<Facts> {
  const service = await startService(dataDir, port)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 2 })
  try {
    const counts = { organizations: 0, campaignsEach: 0, campaignsOfLargest: size.campaigns }
    const [tenant] = await seed(services, address, counts)
    if (!tenant) throw new Error('there are no tenants')
    const turnMs = await seedPacing({ services, address }, tenant, size.days)
    const bench = { pool, tenant, pid: service.pid }
    const all = size.campaigns.toLocaleString('en')
    return [
      [`${all} campaigns judged, as at midnight`, `${(turnMs / 1000).toFixed(1)} s`],
      ...(await reading(bench)),
      ...(await reporting(bench)),
      await alerting(bench),
    ]
  } finally {
    await services.database.close()
    await pool.close()
    await service.stop()
  }
}

const text = (ms: number) => `${ms.toFixed(1)} ms`

async function send({ pool, tenant }: Bench, path: string, body?: object): Promise<string> {
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' }
  const request = { path: `/api/v1${path}`, method: body ? 'POST' : 'GET', headers } as const
  const reply = await pool.request({ ...request, ...(body && { body: JSON.stringify(body) }) })
  const answer = await reply.body.text()
  if (reply.statusCode >= 300 || answer.includes('"outcome":"failed"')) {
    throw new Error(`${path}: ${reply.statusCode} ${answer.slice(0, 500)}`)
  }
  return answer
}

async function timed(work: (round: number) => Promise<unknown>): Promise<string> {
  for (let round = 0; round < 5; round += 1) await work(round)
  const times: number[] = []
  for (let round = 5; round < rounds + 5; round += 1) {
    const begun = performance.now()
    await work(round)
    times.push(performance.now() - begun)
  }
  return text(median(times))
}

async function reading(bench: Bench): Promise<Facts> {
  const { campaignIds } = bench.tenant
  const paths: Record<string, (round: number) => string> = {
    'GET /pacing?limit=25, p50': () => '/pacing?limit=25',
    'GET /pacing?status=critical,over&limit=25, p50': () => '/pacing?status=critical,over&limit=25',
    'GET /campaigns/:id/pacing, p50': (round) => `/campaigns/${campaignIds[round * 17]}/pacing`,
  }
  const facts: Facts = []
  for (const [what, pathOf] of Object.entries(paths)) {
    facts.push([what, await timed((round) => send(bench, pathOf(round)))])
  }
  return facts
}

/** As a connector reports today: a row for each of some campaigns. */
async function reporting(bench: Bench): Promise<Facts> {
  const { campaignIds } = bench.tenant
  const facts: Facts = []
  for (const count of [1, 100, 1_000]) {
    const bodyOf = (round: number) => {
      const from = (round * count) % campaignIds.length
      const rows = campaignIds
        .slice(from, from + count)
        .map((campaign_id) => ({ campaign_id, date: daysAgo(0), spend: 20 + round }))
      return { source: 'bench', reported_at: new Date().toISOString(), rows }
    }
    const what = `POST /results of ${count.toLocaleString('en')} campaigns, p50 · CPU of the service`
    const cpuBefore = cpuMsOf(bench.pid)
    const took = await timed((round) => send(bench, '/results', bodyOf(round)))
    const cpu = (cpuMsOf(bench.pid) - cpuBefore) / (rounds + 5)
    facts.push([what, `${took} · ${text(cpu)}`])
  }
  return facts
}

type Sent = { id: string; data: { object: { campaign_id: string } } }

/** From sending a report that changes a status to the alert's arrival at the receiver. */
async function alerting(bench: Bench): Promise<Facts[number]> {
  const receiver = await startReceiver()
  const subscription = { url: receiver.url, events: ['pacing.changed'] }
  await send(bench, '/webhook_endpoints', subscription)
  await sleep(1_000)
  await receiver.take()
  const sentAt = new Map<string, number>()
  for (const campaign_id of bench.tenant.campaignIds.slice(0, alertCount)) {
    const rows = [{ campaign_id, date: daysAgo(0), spend: 900_000 }]
    sentAt.set(campaign_id, performance.timeOrigin + performance.now())
    await send(bench, '/results', { source: 'bench', reported_at: new Date().toISOString(), rows })
    await sleep(20)
  }
  await sleep(2_000)
  const arrivals = await receiver.take()
  receiver.stop()
  const times: number[] = []
  for (let cursor = ''; times.length < alertCount; ) {
    const page = await send(bench, `/events?type=pacing.changed&limit=100${cursor}`)
    const { data, meta }: { data: Sent[]; meta: { next_cursor: string | null } } = JSON.parse(page)
    for (const { id, data: sent } of data) {
      const begun = sentAt.get(sent.object.campaign_id)
      if (begun !== undefined && arrivals[id]) times.push(arrivals[id] - begun)
    }
    if (meta.next_cursor === null) break
    cursor = `&cursor=${meta.next_cursor}`
  }
  const what = `report to alert delivered, of ${times.length}: p50 · p99`
  return [what, `${text(quantile(times, 0.5))} · ${text(quantile(times, 0.99))}`]
}
