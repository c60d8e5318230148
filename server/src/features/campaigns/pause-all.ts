import { setImmediate } from 'node:timers/promises'
import type { WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { serviceActor } from '../../values/organization.ts'
import { columnsAfter } from './actions.ts'
import { changeCampaign } from './change-campaign.ts'
import { pausedEvent, type Reason } from './lifecycle/transitions.ts'
import { type Details, lifecycleFactsOf, toCampaign } from './present.ts'
import { statusChange } from './status/change.ts'

// The columns that differ; launch and end dates do not change.
const pauseSql = `
  update campaigns
  set status = $3, status_reason = $4, version = version + 1, updated_at = $5, updated_by = $6,
    status_change = $7
  where organization_id = $1 and id = any($2)`

/** The service pauses running campaigns: one statement for all, as there may be thousands. */
export async function pauseAll(
  outer: WriteContext,
  rows: readonly Details[],
  reason: Reason,
): Promise<void> {
  if (rows.length === 0) return
  const ctx = { ...outer, actor: serviceActor }
  const ids = rows.map(({ id }) => id)
  const cause = { action: 'pause', reason } as const
  const change = JSON.stringify(statusChange(ctx, cause))
  ctx.tx.send(tenantQuery(ctx, pauseSql, ids, 'paused', reason, ctx.now, ctx.actor.id, change))
  for (const [index, row] of rows.entries()) {
    // Yields to other requests.
    if (index % 10 === 9) await setImmediate()
    await changeCampaign(ctx, pausedEvent, async (ctx) => {
      const facts = lifecycleFactsOf(row, ctx)
      const after = { ...row, ...columnsAfter(ctx, row, { status: 'paused', reason, cause }) }
      return {
        before: toCampaign(row, ctx, facts),
        after: toCampaign(after, ctx, lifecycleFactsOf(after, ctx, facts.obstacles)),
      }
    })
  }
}
