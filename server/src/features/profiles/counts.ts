import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import type { CampaignCounts } from './schema.ts'

export const noCampaigns: CampaignCounts = {
  total: 0,
  draft: 0,
  pending_review: 0,
  scheduled: 0,
  active: 0,
  paused: 0,
  completed: 0,
  archived: 0,
}

/** Campaign counts of the profiles by status, in one query for a whole page. */
export async function campaignCounts(
  ctx: Context,
  profileIds: readonly string[],
): Promise<(profileId: string) => CampaignCounts> {
  const groups = profileIds.length === 0 ? [] : await countedGroups(ctx, profileIds)
  const counts = new Map<string, CampaignCounts>()
  for (const { profile_id, status, count } of groups) {
    const known = counts.get(profile_id) ?? noCampaigns
    counts.set(profile_id, { ...known, [status]: count, total: known.total + count })
  }
  return (profileId) => counts.get(profileId) ?? noCampaigns
}

const countedGroups = (ctx: Context, profileIds: readonly string[]) =>
  rowsOf(ctx, 'campaigns')
    .where(sql<boolean>`profile_id = any(${profileIds})`)
    .groupBy(['profile_id', 'status'])
    .select(['profile_id', 'status', sql<number>`count(*)`.as('count')])
    .execute()
