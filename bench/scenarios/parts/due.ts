/** 10,000 campaigns become due at once: how long they take, and what readers notice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../../server/src/database/embedded/start.ts'
import { openServices } from '../../../server/src/services.ts'
import { type Pace, pace, paceFor, quantile } from '../../tools/paced.ts'
import { startService } from '../../tools/processes.ts'
import { seed, type Tenant } from '../../tools/seed.ts'
import { factLines } from '../../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_083
const organizations = isQuick ? 5 : 100
const campaignsEach = isQuick ? 20 : 100
const readsPerSecond = 100
const secondsAhead = isQuick ? 4 : 8

export async function benchDue(): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const service = await startService(dataDir, port)
  try {
    const address = await findRunningEmbedded(dataDir)
    if (!address) throw new Error('the service runs no embedded database')
    const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
    const services = await openServices(readConfig(env), address)
    const size = { organizations, campaignsEach, campaignsOfLargest: campaignsEach }
    const tenants = await seed(services, address, size)
    await services.database.close()
    const db = new pg.Client(address)
    await db.connect()
    const lines = await measureDue(db, tenants)
    await db.end()
    return lines
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const scheduleSql = `
  update campaigns set status = 'scheduled', launched_at = now(), daily_cost_minor = daily_budget_minor,
    start_at = date_trunc('milliseconds', now()) + $1 * interval '1 second'
  where status <> 'archived'`
const leftSql = `select count(*)::int as left from campaigns where status = 'scheduled'`

async function measureDue(db: pg.Client, tenants: Tenant[]): Promise<string[]> {
  const reads = readsOf(tenants)
  await paceFor(2, reads)
  const before = quantile(await paceFor(secondsAhead / 2, reads), 0.99)
  const { rowCount } = await db.query(scheduleSql, [secondsAhead / 2])
  await sleep((secondsAhead / 2) * 1000)
  const begun = performance.now()
  const reading = pace(reads)
  for (;;) {
    const { rows } = await db.query(leftSql)
    if (rows[0].left === 0) break
    await sleep(50)
  }
  const seconds = (performance.now() - begun) / 1000
  const answers = await reading.end()
  const during = quantile(answers.get(200) ?? [], 0.99)
  const change = `${before.toFixed(1)} ms · ${during.toFixed(1)} ms (${(during / before).toFixed(2)} ×)`
  return factLines([
    [`${rowCount} campaigns due at once, until all have moved`, `${seconds.toFixed(1)} s`],
    [`p99 of ${readsPerSecond} reads a second before · meanwhile`, change],
  ])
}

/** Campaigns round-robin across all organizations. */
const readsOf = (tenants: Tenant[]): Pace => ({
  perSecond: readsPerSecond,
  next: (turn) => {
    const { token, campaignIds } = tenants[turn % tenants.length] as Tenant
    return { port, path: `/api/v1/campaigns/${campaignIds[turn % campaignIds.length]}`, token }
  },
})
