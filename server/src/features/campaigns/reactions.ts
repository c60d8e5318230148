import { sql } from 'kysely'
import { columnsOf } from '../../database/tables/types.ts'
import type { Reaction } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { pauseAll } from './pause-all.ts'
import { countMonths } from './spend-cap/pause.ts'

/** Pauses running campaigns when their profile is no longer active, with one event each. */
const pauseWithProfile: Reaction = async (ctx, before, after) => {
  if (!after || before?.status !== 'active' || after.status === 'active') return
  const rows = await rowsOf(ctx, 'campaign_details')
    .where('profile_id', '=', after.id)
    .where(sql<boolean>`status in ('scheduled', 'active')`)
    .select(columnsOf.campaign_details)
    .execute()
  await pauseAll(ctx, rows, 'profile_not_active')
}

/** A cap counts from the beginning of the month that it is set in. */
const countForCap: Reaction = async (ctx, before, after) => {
  if (!after || before?.monthly_spend_cap_minor !== null) return
  if (after.monthly_spend_cap_minor !== null) await countMonths(ctx, [after.id])
}

export const followProfile: Reaction = async (ctx, ...changed) => {
  await countForCap(ctx, ...changed)
  await pauseWithProfile(ctx, ...changed)
}
