import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import { actAsSystem, nowText, type Services } from '../../kernel/context.ts'
import { findOne } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { aheadOf } from '../../values/clock.ts'
import { isSameAccess, probeProxy, rowAfter, saveResult } from './check.ts'
import type { ProbeResult } from './probe/probe.ts'

/** A row with the clock offset of its organization. */
type Proxy = Row<'proxies'> & { clock_ahead_ms: number }

const maxConcurrent = 10
const batchSize = 100
/** The job runs every minute: the rest is left to the next run. */
const maxRunMs = 50_000

/**
 * Checks every due proxy of all organizations, the longest overdue first. Changed proxies count as
 * checked too.
 */
export async function checkDueProxies(services: Services, signal: AbortSignal) {
  const counts = { checked: 0, changed: 0, failed: 0 }
  const until = performance.now() + maxRunMs
  const due = dueProxies(services, () => signal.aborted || performance.now() > until)
  const work = async () => {
    for await (const proxy of due) {
      // If the result cannot be saved, the proxy stays due and the others continue.
      const outcome = await checkOne(services, proxy, signal).catch(() => null)
      if (signal.aborted) break
      if (outcome) counts.checked += 1
      else counts.failed += 1
      if (outcome?.hasChanged) counts.changed += 1
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return counts
}

const dueSql = `
  select ${columnsOf.proxies.map((column) => `p.${column}`)}, o.clock_ahead_ms
  from proxies p
  join organizations o on o.id = p.organization_id and o.status = 'active'
  where p.enabled and p.next_check_at <= $1
    and (p.next_check_at, p.organization_id, p.id) > ($2, $3, $4)
  order by p.next_check_at, p.organization_id, p.id limit $5`

/** Each due proxy once, read in pages. */
async function* dueProxies(services: Services, isOver: () => boolean): AsyncGenerator<Proxy> {
  const { reader } = services.database
  const now = nowText(services)
  let last = { next_check_at: '-infinity', organization_id: '', id: '' }
  while (!isOver()) {
    const after = [last.next_check_at, last.organization_id, last.id]
    const parameters = [now, ...after, batchSize]
    const page = await reader.query<Proxy>({ sql: dueSql, parameters, ofAll: true })
    for (const proxy of page) {
      if (isOver()) return
      yield proxy
    }
    const end = page.at(-1)
    if (!end || page.length < batchSize) return
    last = end
  }
}

async function checkOne(
  services: Services,
  proxy: Proxy,
  signal: AbortSignal,
): Promise<{ hasChanged: boolean }> {
  const finding = await probeProxy(services, proxy, signal)
  const ahead = aheadOf(services.clock, () => proxy.clock_ahead_ms)
  const now = ahead.now().toISOString()
  const after = rowAfter(proxy, finding, { now, services })
  if (after.status !== proxy.status) {
    return { hasChanged: await recordChange(services, proxy, finding) }
  }
  await note(services, { before: proxy, after })
  return { hasChanged: false }
}

/**
 * Returns whether the change was recorded. If the proxy was modified during the check, the result
 * may not apply: it stays due.
 */
async function recordChange(
  services: Services,
  proxy: Proxy,
  finding: ProbeResult,
): Promise<boolean> {
  const ctx = await actAsSystem(services, proxy.organization_id, 'proxy checks')
  if (!ctx) return false
  return inTransaction(ctx, async (ctx) => {
    const row = await findOne(ctx, 'proxies', proxy.id)
    if (!row?.enabled || !isSameAccess(row, proxy)) return false
    await saveResult(ctx, row, finding)
    return true
  })
}

const noteSql = `
  update proxies
  set last_check = $4, consecutive_failures = $5, consecutive_successes = $6, next_check_at = $7
  where organization_id = $1 and id = $2 and version = $3 and last_check is not distinct from $8`

type Noted = { before: Row<'proxies'>; after: Row<'proxies'> }

/**
 * Saves a result that leaves the status unchanged, without an event. Skipped if another check was
 * saved meanwhile, as the counts would be stale.
 */
async function note({ database }: Services, { before, after }: Noted): Promise<void> {
  const values = [
    after.id,
    after.version,
    JSON.stringify(after.last_check),
    after.consecutive_failures,
    after.consecutive_successes,
    after.next_check_at,
    before.last_check && JSON.stringify(before.last_check),
  ]
  const tenant = { organization: { id: after.organization_id } }
  await database.transaction(async (tx) => tx.send(tenantQuery(tenant, noteSql, ...values)))
}
