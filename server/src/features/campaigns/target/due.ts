import { setTimeout as rest } from 'node:timers/promises'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, type Context, nowText, type Services } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { isChange, judgeAll } from './assess.ts'
import { sendJudged, storeWithAlerts } from './store.ts'

/** Judges campaigns again when the day turns, and when results, targets or bounds have changed. */
export const duePerformance: SingletonTask = {
  name: 'campaigns.performance',
  everyMs: 500,
  work: [{ name: 'performance', dueSince: 'select min(due_at) from campaign_performance' }],
  run: judgeDue,
}

const maxFound = 50
/** All campaigns of a zone are due at its midnight: rest as long as each part took. */
const maxRestMs = 100

// Spans all organizations; the second half is for sandboxes whose clock is ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, due_at from campaign_performance
      where due_at <= $1 order by due_at limit $2)
    union
    (select p.organization_id, p.id, p.due_at from organizations o
      cross join lateral (select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join campaign_performance p on p.organization_id = o.id
      where o.clock_ahead_ms > 0 and p.due_at <= t.now limit $2)
  ) as found
  order by due_at
  limit $2`

type DueCampaign = { organization_id: string; id: string }

/** Judges every campaign that is due, the longest overdue first. */
export async function judgeDue(services: Services, signal: AbortSignal): Promise<void> {
  for (let found = maxFound; found === maxFound && !signal.aborted; ) {
    const begun = performance.now()
    const parameters = [nowText(services), maxFound]
    const due = await services.database.reader.query<DueCampaign>({
      sql: dueSql,
      parameters,
      ofAll: true,
    })
    found = due.length
    for (const [id, rows] of Map.groupBy(due, (each) => each.organization_id)) {
      const ctx = await actAsSystem(services, id, 'Flightdeck')
      if (ctx) await judgePart(ctx, rows)
    }
    await rest(Math.min(performance.now() - begun, maxRestMs))
  }
}

/** A part that fails is judged one by one: what fails alone is tried again later. */
async function judgePart(ctx: Context, rows: readonly DueCampaign[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await judgeThese(ctx, ids).catch(async (fault: unknown) => {
    if (ids.length === 1) throw fault
    for (const id of ids) await judgeThese(ctx, [id])
  })
}

/** Only changes of status are announced: they are judged again within a transaction. */
async function judgeThese(ctx: Context, ids: readonly string[]): Promise<void> {
  const judged = await judgeAll(ctx, ids)
  const changed = judged.filter(isChange).map(({ campaign }) => campaign.id)
  const others = judged.filter((each) => !isChange(each))
  if (others.length > 0) {
    const judged = { all: others, isBeside: true }
    await ctx.services.database.transaction(async (tx) => sendJudged(ctx, tx, judged))
  }
  if (changed.length === 0) return
  await inTransaction(ctx, async (ctx) => storeWithAlerts(ctx, await judgeAll(ctx, changed)))
}
