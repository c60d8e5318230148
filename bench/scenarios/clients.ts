/**
 * `npm run bench -- clients`: what a scope costs those who have one, and reports and pacing of an
 * organization of 100 clients, 20 of which have 1,000 campaigns with 31 days of results.
 */
import { cpus } from 'node:os'
import { bulkAll, type Flightdeck, reportAll } from '@flightdeckhq/sdk'
import pg from 'pg'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { quantile } from '../tools/paced.ts'
import { asOwner } from '../tools/processes.ts'
import { daysAgo } from '../tools/seed-pacing.ts'
import { factLines } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_121
const url = `http://127.0.0.1:${port}`
const clients = { all: isQuick ? 10 : 100, busy: isQuick ? 4 : 20 }
const campaignsEach = isQuick ? 5 : 50
const days = isQuick ? 3 : 31
const reads = isQuick ? 20 : 2_000
const reports = isQuick ? 3 : 30

type Fact = readonly [string, string]
/** Credentials of a key that sees all, and of one that sees a client. */
type Keys = { whole: string; scoped: string }

export const benchClients = (): Promise<void> =>
  asOwner(port, async (owner, dataDir) => {
    const ids = await seeded(owner)
    await analyze(dataDir)
    const facts = [...(await scopes(owner, ids)), ...(await reported(owner)), await paced(owner)]
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    console.log(factLines(facts).join('\n'))
  })

/** As PostgreSQL does by itself within minutes. */
async function analyze(dataDir: string): Promise<void> {
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const client = new pg.Client(address)
  await client.connect()
  await client.query('analyze')
  await client.end()
}

type Ids = { client: string; campaign: string }

/** Running campaigns of the first clients, each with results until yesterday; a plan for every client. */
async function seeded(owner: Flightdeck): Promise<Ids> {
  const month = new Date().toISOString().slice(0, 7)
  const profiles: string[] = []
  let first = ''
  for (let n = 0; n < clients.all; n += 1) {
    const { id } = await owner.clients.create({ name: `Client ${n}` })
    await owner.clients.putBudget(id, month, { amounts: { USD: 60_000 } })
    first ||= id
    if (n >= clients.busy) continue
    const about = { platform: 'google_ads', currency: 'USD', client_id: id } as const
    profiles.push((await owner.profiles.create({ name: `Client ${n}`, ...about })).id)
  }
  const campaigns = await started(owner, profiles)
  for (let ago = days; ago > 0; ago -= 1) {
    const rows = campaigns.map((campaign_id, n) => ({
      ...{ campaign_id, date: daysAgo(ago), spend: 20 + (n % 10), impressions: 9_000 },
      ...{ clicks: 150 + (n % 20), conversions: n % 7 },
    }))
    const report = { source: 'bench', reported_at: new Date().toISOString() }
    for await (const { problem } of reportAll(owner, report, rows))
      if (problem) throw new Error(JSON.stringify(problem))
  }
  return { client: first, campaign: campaigns[0] ?? '' }
}

async function started(owner: Flightdeck, profiles: readonly string[]): Promise<string[]> {
  const bodies = profiles.flatMap((profile_id, client) =>
    Array.from({ length: campaignsEach }, (_, n) => ({
      ...{ name: `Client ${client}, search ${n}`, profile_id },
      ...({ objective: 'sales', daily_budget: 33.51 } as const),
    })),
  )
  const ids: string[] = []
  const made = bodies.map((body) => ({ op: 'create', body }) as const)
  for await (const { id } of bulkAll(owner, made)) ids.push(String(id))
  const launches = ids.map((id) => ({ op: 'action', id, action: 'launch' }) as const)
  for await (const { problem } of bulkAll(owner, launches))
    if (problem) throw new Error(JSON.stringify(problem))
  return ids
}

async function scopes(owner: Flightdeck, { client, campaign }: Ids): Promise<Fact[]> {
  const keyOf = async (scope: { client_ids: string[] } | null) =>
    String((await owner.apiKeys.create({ name: 'Bench', role: 'viewer', scope })).key)
  const keys = { whole: await keyOf(null), scoped: await keyOf({ client_ids: [client] }) }
  return [
    await compared(keys, 'GET /campaigns/:id', `/campaigns/${campaign}`),
    await compared(keys, 'GET /campaigns?limit=25', '/campaigns?limit=25'),
  ]
}

/** In turns, as machines drift. */
async function compared(keys: Keys, what: string, path: string): Promise<Fact> {
  const times = { whole: [] as number[], scoped: [] as number[] }
  for (let n = 0; n < reads; n += 1) {
    for (const each of ['whole', 'scoped'] as const)
      times[each].push(await timed(`/api/v1${path}`, keys[each]))
  }
  const [whole, scoped] = [quantile(times.whole, 0.5), quantile(times.scoped, 0.5)]
  const shown = `${whole.toFixed(2)} ms · ${scoped.toFixed(2)} ms (${(scoped / whole).toFixed(2)} ×)`
  return [`${what}, p50: without a scope · with one of a client`, shown]
}

async function reported(owner: Flightdeck): Promise<Fact[]> {
  const period = { from: daysAgo(days), to: daysAgo(0) }
  const report = await owner.reports.create({ name: 'All', period, compare: 'previous_period' })
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const link = await owner.reports.createLink(report.id, { expires_at })
  const { key } = await owner.apiKeys.create({ name: 'Bench', role: 'viewer' })
  const data = await p50(reports, `/api/v1/reports/${report.id}/data`, String(key))
  const opened = await p50(reports, new URL(String(link.url)).pathname)
  const size = `${clients.busy * campaignsEach} campaigns × ${days} days`
  return [
    [`GET /reports/:id/data of ${size}, p50`, `${data.toFixed(0)} ms`],
    ['the same, opened by its link, p50', `${opened.toFixed(0)} ms`],
  ]
}

async function paced(owner: Flightdeck): Promise<Fact> {
  const { key } = await owner.apiKeys.create({ name: 'Bench', role: 'viewer' })
  const ms = await p50(reports, '/api/v1/pacing/clients?limit=100', String(key))
  return [`GET /pacing/clients of ${clients.all} clients, p50`, `${ms.toFixed(0)} ms`]
}

async function p50(times: number, path: string, token?: string): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < times; n += 1) taken.push(await timed(path, token))
  return quantile(taken, 0.5)
}

async function timed(path: string, token?: string): Promise<number> {
  const begun = performance.now()
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const reply = await fetch(`${url}${path}`, { headers })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
  return performance.now() - begun
}
