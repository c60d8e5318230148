import type { Context } from '../../kernel/context.ts'
import { talliedSoFar } from '../../kernel/quotas.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
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
  const counts = new Map<string, CampaignCounts>()
  for (const { profile_id, status, count } of await countedGroups(ctx, profileIds)) {
    const known = counts.get(profile_id) ?? noCampaigns
    counts.set(profile_id, {
      ...known,
      [status]: known[status] + count,
      total: known.total + count,
    })
  }
  return (profileId) => counts.get(profileId) ?? noCampaigns
}

type Status = keyof Omit<CampaignCounts, 'total'>
const isStatus = (text: string): text is Status =>
  text !== 'total' && Object.hasOwn(noCampaigns, text)

type Group = { profile_id: string; status: Status; count: number }

const countsSql = `
  select profile_id, status, sum(campaigns)::int as count from campaign_counts
  where organization_id = $1 and profile_id = any($2) group by profile_id, status`

/** As stored, and as the transaction will change it. */
async function countedGroups(ctx: Context, profileIds: readonly string[]): Promise<Group[]> {
  if (profileIds.length === 0) return []
  const stored = await ctx.reader.query<Group>(tenantQuery(ctx, countsSql, profileIds))
  const changed = (await talliedSoFar(ctx, 'campaign_counts')).flatMap(({ values, difference }) => {
    const [profile_id = '', status = ''] = values
    return isStatus(status) ? [{ profile_id, status, count: difference }] : []
  })
  return [...stored, ...changed]
}
