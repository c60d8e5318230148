/**
 * `npm run bench -- results`: reports of 1,000 rows, and reads of an organization with 10,000
 * campaigns × 400 days of results, on the embedded database; lists of campaigns with and without them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { readConfig } from '../../server/src/config/config.ts'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { makeMonths } from '../../server/src/database/upkeep/partitions.ts'
import type { Services } from '../../server/src/kernel/context.ts'
import { openServices } from '../../server/src/services.ts'
import { cpuMsOf, startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { factLines, median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_088
const size = isQuick ? { campaigns: 1_000, days: 60 } : { campaigns: 10_000, days: 400 }
const rounds = isQuick ? 5 : 40
const dayMs = 86_400_000

const dayAt = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

export async function benchResults(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const facts = await run(dataDir)
    console.log(`${cpus().length} cores, Node ${process.versions.node}, ${rounds} rounds\n`)
    console.log(factLines(facts).join('\n'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Facts = (readonly [string, string])[]
type Bench = { pool: Pool; tenant: Tenant; address: DatabaseAddress; pid: number }

async function run(dataDir: string): Promise<Facts> {
  const service = await startService(dataDir, port)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const { campaigns } = size
  const organizations = { organizations: 1, campaignsEach: 10, campaignsOfLargest: campaigns }
  const tenant = (await seed(services, address, organizations)).at(-1)
  if (!tenant) throw new Error('there are no tenants')
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 2 })
  try {
    const bench = { pool, tenant, address, pid: service.pid }
    const before = await readingLists(bench)
    await fill(services, address, tenant)
    const rows = (size.campaigns * size.days).toLocaleString('en')
    const after = await readingLists(bench)
    const lists = before.map(
      ([what, ms], at) =>
        [
          `${what} without results · with ${rows}`,
          `${text(ms)} · ${text(after[at]?.[1] ?? Number.NaN)}`,
        ] as const,
    )
    return [...(await reporting(bench)), ...(await reading(bench)), ...lists]
  } finally {
    await services.database.close()
    await pool.close()
    await service.stop()
  }
}

const text = (ms: number) => `${ms.toFixed(1)} ms`

/** All but today: that is reported by the bench. */
async function fill(services: Services, address: DatabaseAddress, tenant: Tenant): Promise<void> {
  const days = Array.from({ length: size.days }, (_, at) => dayAt(at))
  await makeMonths(services.database, days)
  const client = new pg.Client(address)
  await client.connect()
  await client.query('set synchronous_commit = off')
  for (let at = 0; at < tenant.campaignIds.length; at += 1_000) {
    const ids = tenant.campaignIds.slice(at, at + 1_000)
    await client.query(rowsSql, [tenant.id, ids, dayAt(size.days), dayAt(1)])
  }
  for (const sql of sumsSql) await client.query(sql, [tenant.id])
  await client.query('vacuum analyze results, result_months, result_days, result_sources')
  await client.end()
}

const rowsSql = `
  insert into results (organization_id, campaign_id, date, source, spend_minor, adjustment_minor,
    impressions, clicks, conversions_millionths, conversion_value_minor, is_final, reported_at)
  select $1, id, day::date, 'bench', 1000 + n, 0, 10000, 300, 4000000, 9000, true, now() - interval '1 day'
  from unnest($2::text[]) with ordinality as c (id, n)
  cross join generate_series($3::date, $4::date, interval '1 day') as day`

const summed = `count(*), count(*), sum(spend_minor), 0, sum(impressions), count(*), sum(clicks),
  count(*), sum(conversions_millionths), count(*), sum(conversion_value_minor), count(*)`

const sumsSql = [
  `insert into result_months select $1, campaign_id, date_trunc('month', date)::date, source, ${summed}
    from results where organization_id = $1 group by 2, 3, 4 order by 3, 2`,
  `insert into result_days select $1, date, 'USD', source, ${summed}, profile_id
    from results r join campaigns c on c.organization_id = $1 and c.id = r.campaign_id
    where r.organization_id = $1 group by 2, 4, profile_id`,
  `insert into result_sources select $1, campaign_id, source, max(reported_at), max(date)
    from results where organization_id = $1 group by 2, 3`,
]

async function timed(work: (round: number) => Promise<void>): Promise<number> {
  for (let round = 0; round < 5; round += 1) await work(-1 - round)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now()
    await work(round)
    times.push(performance.now() - begun)
  }
  return median(times)
}

async function send({ pool, tenant }: Bench, path: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' }
  const request = { path: `/api/v1${path}`, method: body ? 'POST' : 'GET', headers } as const
  const reply = await pool.request({ ...request, ...(body && { body: JSON.stringify(body) }) })
  const answer = await reply.body.text()
  if (reply.statusCode >= 300 || /"outcome":"failed"/.test(answer)) {
    throw new Error(`${path}: ${reply.statusCode} ${answer.slice(0, 500)}`)
  }
}

/** A thousand campaigns a time, each with a day that is new, and then with other figures. */
async function reporting(bench: Bench): Promise<Facts> {
  const { campaignIds } = bench.tenant
  const bodyOf = (round: number, date: string, spend: number) => {
    const from = ((round + 5) * 1_000) % campaignIds.length
    const rows = campaignIds.slice(from, from + 1_000).map((campaign_id) => ({
      ...{ campaign_id, date, spend, impressions: 12_000, clicks: 310 },
      ...{ conversions: 12.5, conversion_value: 840 },
    }))
    return { source: 'bench', reported_at: new Date().toISOString(), rows }
  }
  const day = (round: number) =>
    dayAt(size.days + 1 + Math.floor(((round + 5) * 1_000) / campaignIds.length))
  const cpuBefore = cpuMsOf(bench.pid)
  const created = await timed((round) => send(bench, '/results', bodyOf(round, day(round), 33.51)))
  const today = dayAt(0)
  const updated = await timed((round) => send(bench, '/results', bodyOf(round, today, 20 + round)))
  const cpu = (cpuMsOf(bench.pid) - cpuBefore) / (2 * (rounds + 5))
  const bare = await upserting(bench, today)
  return [
    ['POST /results, 1,000 new days of as many campaigns, p50', text(created)],
    [
      'POST /results, 1,000 days of today, most known already, p50 · the rows alone in a bare statement',
      `${text(updated)} · ${text(bare)} (${(updated / bare).toFixed(1)} ×)`,
    ],
    ['CPU of the service for each of these', text(cpu)],
  ]
}

/** The same rows in a table of their own, with its key and without sums, checks or records. */
async function upserting({ address, tenant }: Bench, date: string): Promise<number> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query('create table bare (like results including constraints including indexes)')
  const upsert = `insert into bare select $1, id, $3, 'bench', $4, 0, 12000, 310, 12500000, 84000, false, now()
    from unnest($2::text[]) as id on conflict (organization_id, campaign_id, date, source)
    do update set spend_minor = excluded.spend_minor, reported_at = excluded.reported_at`
  const ms = await timed(async (round) => {
    const from = ((round + 5) * 1_000) % tenant.campaignIds.length
    const ids = tenant.campaignIds.slice(from, from + 1_000)
    await client.query(upsert, [tenant.id, ids, date, 2_000 + round])
  })
  await client.end()
  return ms
}

async function reading(bench: Bench): Promise<Facts> {
  const { campaignIds } = bench.tenant
  const month = `from=${dayAt(60)}&to=${dayAt(30)}`
  const year = `from=${dayAt(size.days)}&to=${dayAt(0)}`
  const some = campaignIds.slice(100, 125).join(',')
  const hundred = campaignIds.slice(200, 300).join(',')
  const paths: Record<string, (round: number) => string> = {
    'a month of one campaign': (round) =>
      `/campaigns/${campaignIds[Math.abs(round) * 17]}/results?${month}`,
    'this month by client': () => '/results?group_by=client',
    'this month by campaign, the 25 largest': () => '/results?limit=25',
    'this month by day': () => '/results?group_by=day&limit=100',
    'all days by source': () => `/results?group_by=source&${year}`,
    'this month of 25 campaigns': () => `/results?campaign_id=${some}`,
    'the last 14 days of 100 campaigns, each day of each': () =>
      `/results?include_days=true&limit=100&campaign_id=${hundred}&from=${dayAt(14)}&to=${dayAt(0)}`,
    '30 days across two months by client': () => `/results?group_by=client&${month}`,
    '30 days across two months by campaign, the 25 largest': () => `/results?limit=25&${month}`,
    'the sources': () => '/results/sources',
  }
  const facts: Facts = []
  for (const [what, pathOf] of Object.entries(paths)) {
    facts.push([what, text(await timed((round) => send(bench, pathOf(round))))])
  }
  return facts
}

async function readingLists(bench: Bench): Promise<[string, number][]> {
  const times: [string, number][] = []
  for (const path of ['/campaigns?limit=25', '/campaigns?limit=100&sort=name']) {
    times.push([`GET ${path}`, await timed(() => send(bench, path))])
  }
  return times
}
