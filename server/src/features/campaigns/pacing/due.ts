import { setTimeout as rest } from 'node:timers/promises'
import type { SingletonTask } from '../../../jobs/job.ts'
import {
  actAsSystem,
  type Context,
  nowIn,
  nowText,
  type Services,
} from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { isChange, storeWithAlerts } from './alerts.ts'
import { assessAll } from './assess.ts'
import { sendAssessed } from './store.ts'

const isListed = `campaign_status in ('scheduled', 'active', 'paused')`

/** Assesses campaigns again when the day turns, when reports stay out, and when they were changed. */
export const duePacing: SingletonTask = {
  name: 'campaigns.pacing',
  everyMs: 500,
  work: [{ name: 'pacing', dueSince: `select min(due_at) from campaign_pacing where ${isListed}` }],
  run: assessDue,
}

const maxFound = 1_000
const chunkSize = 50
/** All campaigns of a zone are due at its midnight: rest as long as each part took. */
const maxRestMs = 100

// Spans all organizations; the second half is for sandboxes whose clock is ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, due_at from campaign_pacing
      where due_at <= $1 and ${isListed} order by due_at limit $2)
    union
    (select p.organization_id, p.id, p.due_at from organizations o
      cross join lateral (select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join campaign_pacing p on p.organization_id = o.id
      where o.clock_ahead_ms > 0 and p.due_at <= t.now and ${isListed} limit $2)
  ) as found
  order by due_at
  limit $2`

type Due = { organization_id: string; id: string }

/** Assesses every campaign that is due, the longest overdue first. */
export async function assessDue(services: Services, signal: AbortSignal): Promise<void> {
  for (let found = maxFound; found === maxFound && !signal.aborted; ) {
    const parameters = [nowText(services), maxFound]
    const due = await services.database.reader.query<Due>({ sql: dueSql, parameters, ofAll: true })
    found = due.length
    const byOrganization = Map.groupBy(due, (each) => each.organization_id)
    for (const [organizationId, rows] of byOrganization) {
      const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
      if (ctx)
        await assessIn(
          ctx,
          rows.map(({ id }) => id),
          signal,
        )
    }
  }
}

/** A part that fails is assessed one by one, so that one campaign cannot hold up the others. */
async function assessIn(ctx: Context, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const faults: unknown[] = []
  for (let at = 0; at < ids.length && !signal.aborted; at += chunkSize) {
    const begun = performance.now()
    const chunk = ids.slice(at, at + chunkSize)
    await assessChunk(ctx, chunk).catch(async () => {
      for (const id of chunk) {
        await assessChunk(ctx, [id]).catch((fault: unknown) => faults.push(fault))
      }
    })
    await rest(Math.min(performance.now() - begun, maxRestMs))
  }
  if (faults.length > 0) throw faults[0]
}

/** Only changes of status are announced: they are assessed again within a transaction. */
async function assessChunk(ctx: Context, ids: readonly string[]): Promise<void> {
  const assessed = await assessAll(ctx, ids)
  const [changed, others] = [assessed.filter(isChange), assessed.filter((each) => !isChange(each))]
  if (others.length > 0) {
    const stored = { assessments: others, ifUnchanged: true, now: nowIn(ctx) }
    await ctx.services.database.transaction(async (tx) => sendAssessed(ctx, tx, stored))
  }
  if (changed.length === 0) return
  await inTransaction(ctx, async (ctx) =>
    storeWithAlerts(
      ctx,
      (
        await assessAll(
          ctx,
          changed.map((each) => each.campaign.id),
        )
      ).filter(isChange),
    ),
  )
}
