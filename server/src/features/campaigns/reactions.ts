import { sql } from 'kysely'
import { columnsOf } from '../../database/tables/types.ts'
import type { Reaction } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import {
  followBounds,
  followBudget,
  followClient,
  followEnd,
  followMove,
  followOrganization,
} from './client-pacing/reactions.ts'
import { campaignEvents } from './event-types.ts'
import { assessByNewBounds, followRemoval, followReport, markingDue } from './pacing/reactions.ts'
import { pauseAll } from './pause-all.ts'
import { countMonths } from './spend-cap/pause.ts'
import { judgeByNewBound, markChanged, markReported } from './target/reactions.ts'

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

/** One after the other. */
const all =
  (...reactions: readonly Reaction[]): Reaction =>
  async (ctx, ...changed) => {
    for (const react of reactions) await react(ctx, ...changed)
  }

const ofCampaigns = Object.fromEntries(
  Object.entries(markingDue(Object.keys(campaignEvents.types))).map(([name, react]) => [
    name,
    all(react, markChanged, followEnd),
  ]),
)

export const reactions: Readonly<Record<string, Reaction>> = {
  'profile.updated': all(countForCap, pauseWithProfile, followMove),
  'results.reported': all(followReport, markReported),
  'results.source_deleted': all(followRemoval, markReported),
  'organization.guardrails_updated': all(assessByNewBounds, followBounds, judgeByNewBound),
  'organization.updated': followOrganization,
  'client.updated': followClient,
  'client.budget_changed': followBudget,
  'campaign.deleted': followEnd,
  ...ofCampaigns,
}
