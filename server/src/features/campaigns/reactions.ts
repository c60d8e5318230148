import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reaction, WriteContext } from '../../kernel/context.ts'
import { everyColumn, rowsOf } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { Actor } from '../../values/organization.ts'
import { columnsAfter } from './actions.ts'
import { changeCampaign } from './change-campaign.ts'
import { type Details, toCampaign } from './present.ts'

const system: Actor = { type: 'system', id: null, name: 'Flightdeck' }

const paused = { status: 'paused', reason: 'profile_not_active' } as const

/** Pauses running campaigns when their profile is no longer active, with one event each. */
export const pauseWithProfile: Reaction = async (ctx, before, after) => {
  const was = before as { status?: string } | null
  const profile = after as { id: string; status?: string } | null
  if (!profile || was?.status !== 'active' || profile.status === 'active') return
  const rows = await rowsOf(ctx, 'campaign_details')
    .where('profile_id', '=', profile.id)
    .where(sql<boolean>`status in ('scheduled', 'active')`)
    .select(everyColumn('campaign_details'))
    .execute()
  await pauseAll({ ...ctx, actor: system }, rows as Details[])
}

// The columns that differ; launch and end dates do not change.
const pauseSql = `
  update campaigns
  set status = $3, status_reason = $4, version = version + 1, updated_at = $5, updated_by = $6
  where organization_id = $1 and id = any($2)`

/** One statement for all: a profile may have thousands of campaigns. */
async function pauseAll(ctx: WriteContext, rows: readonly Details[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const values = [paused.status, paused.reason, ctx.now, ctx.actor.id]
  ctx.tx.send(tenantQuery(ctx, pauseSql, ids, ...values))
  for (const [index, row] of rows.entries()) {
    // Yields to other requests.
    if (index % 10 === 9) await setImmediate()
    await changeCampaign(ctx, 'campaign.paused', async (ctx) => ({
      before: toCampaign(row, ctx),
      after: toCampaign({ ...row, ...columnsAfter(ctx, row, paused) }, ctx),
    }))
  }
}
