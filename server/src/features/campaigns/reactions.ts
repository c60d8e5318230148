import { sql } from 'kysely'
import { change } from '../../kernel/change.ts'
import type { Actor, Reaction } from '../../kernel/context.ts'
import { everyColumn, rowsOf } from '../../kernel/rows.ts'
import { move } from './actions.ts'
import { type Details, toCampaign } from './present.ts'

const system: Actor = { type: 'system', id: null, name: 'Flightdeck' }

/** Campaigns that run under a profile pause when it stops being active, each with its own event. */
export const pauseWithProfile: Reaction = async (ctx, before, after) => {
  const was = before as { status?: string } | null
  const profile = after as { id: string; status?: string } | null
  if (!profile || was?.status !== 'active' || profile.status === 'active') return
  const rows = await rowsOf(ctx, 'campaign_details')
    .where('profile_id', '=', profile.id)
    .where(sql<boolean>`status in ('scheduled', 'active')`)
    .select(everyColumn('campaign_details'))
    .execute()
  for (const row of rows as Details[]) {
    await change({ ...ctx, actor: system }, 'campaign.paused', async (ctx) => ({
      before: toCampaign(row, ctx),
      after: move(ctx, row, { status: 'paused', reason: 'profile_not_active' }),
    }))
  }
}
