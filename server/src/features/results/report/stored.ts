import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { ResultRow } from '../schema.ts'
import type { Day } from './decide-day.ts'
import type { CampaignFacts, FindCampaign } from './read-row.ts'

const campaignsBy = (column: 'id' | 'external_id') => `
  select id, external_id, currency, profile_id, labels, time_zone from campaigns
  where organization_id = $1 and ${column} = any($2)`

async function campaignsWith(
  ctx: Context,
  column: 'id' | 'external_id',
  values: ReadonlySet<string>,
): Promise<CampaignFacts[]> {
  if (values.size === 0) return []
  return ctx.reader.query<CampaignFacts>(tenantQuery(ctx, campaignsBy(column), [...values]))
}

/** The campaigns that rows name, by either id. */
export async function campaignsOf(ctx: Context, rows: readonly ResultRow[]): Promise<FindCampaign> {
  const ids = new Set(rows.flatMap(({ campaign_id }) => campaign_id ?? []))
  const externalIds = new Set(
    rows.flatMap(({ campaign_id, external_id }) => (campaign_id ? [] : (external_id ?? []))),
  )
  const [named, others] = await Promise.all([
    campaignsWith(ctx, 'id', ids),
    campaignsWith(ctx, 'external_id', externalIds),
  ])
  const byId = new Map(named.map((campaign) => [campaign.id, campaign]))
  const byExternalId = new Map(others.map((each) => [each.external_id, each]))
  return ({ campaign_id, external_id = '' }) =>
    campaign_id === undefined ? byExternalId.get(external_id) : byId.get(campaign_id)
}

export const dayKeyOf = (day: { campaign_id: string; date: string }): string =>
  `${day.campaign_id} ${day.date}`

type StoredDay = Day & { campaign_id: string; date: string }

// The limit keeps each look-up a search by key, whatever the planner thinks of the arrays. The first
// and last day leave the partitions of other months out once, not once a row.
const daysSql = `
  select day.* from unnest($3::text[], $4::date[]) as wanted (campaign_id, date)
  cross join lateral (
    select campaign_id, date, spend_minor, adjustment_minor, impressions, clicks,
      conversions_millionths, conversion_value_minor, is_final, reported_at
    from results
    where organization_id = $1 and campaign_id = wanted.campaign_id and date = wanted.date
      and source = $2 and date between $5::date and $6::date
    limit 1
  ) as day`

type Wanted = { source: string; days: readonly { campaign_id: string; date: string }[] }

/** The stored figures of these days from this source, by `dayKeyOf`. */
export async function storedDays(ctx: Context, wanted: Wanted): Promise<Map<string, Day>> {
  const { source, days } = wanted
  if (days.length === 0) return new Map()
  const dates = days.map(({ date }) => date)
  const columns = [days.map(({ campaign_id }) => campaign_id), dates, ...endsOf(dates)]
  const found = await ctx.reader.query<StoredDay>(tenantQuery(ctx, daysSql, source, ...columns))
  return new Map(found.map((day) => [dayKeyOf(day), day]))
}

const endsOf = (dates: readonly string[]): [string, string] =>
  dates.reduce<[string, string]>(
    ([first, last], date) => [date < first ? date : first, date > last ? date : last],
    [dates[0] ?? '', dates[0] ?? ''],
  )

/** How far a source has come with a campaign. */
export type Progress = {
  readonly campaign_id: string
  readonly source: string
  readonly reported_at: string
  readonly complete_through: string
}

const sourcesSql = `
  select campaign_id, source, reported_at, complete_through from result_sources
  where organization_id = $1 and campaign_id = any($2)`

/** How far the sources of these campaigns have come, by campaign. */
export async function progressOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Progress[]>> {
  if (ids.length === 0) return new Map()
  const found = await ctx.reader.query<Progress>(tenantQuery(ctx, sourcesSql, ids))
  return Map.groupBy(found, ({ campaign_id }) => campaign_id)
}
