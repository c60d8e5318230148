import type { ScopeShape } from './conditions.ts'
import { isSeen, within } from './conditions.ts'

/**
 * Kept counts and sums by profile: exact for scopes of whole profiles. Where labels cut through
 * profiles, the rows that are seen are counted and summed up anew.
 */
const keptOrSummed = (table: string, summed: string) => (shape: ScopeShape) =>
  shape.labels
    ? summed
    : `select t.* from ${table} t where ${within('t', [isSeen('profiles', 't.profile_id')])}`

const figures = `
  count(*)::integer as row_count, count(*) filter (where r.is_final)::integer as final_count,
  sum(r.spend_minor)::bigint as spend_minor, sum(r.adjustment_minor)::bigint as adjustment_minor,
  coalesce(sum(r.impressions), 0)::bigint as impressions,
  count(r.impressions)::integer as impressions_count,
  coalesce(sum(r.clicks), 0)::bigint as clicks, count(r.clicks)::integer as clicks_count,
  coalesce(sum(r.conversions_millionths), 0)::bigint as conversions_millionths,
  count(r.conversions_millionths)::integer as conversions_count,
  coalesce(sum(r.conversion_value_minor), 0)::bigint as conversion_value_minor,
  count(r.conversion_value_minor)::integer as conversion_value_count`

const rows = `
  from results r
  join campaigns c on c.organization_id = r.organization_id and c.id = r.campaign_id`

export const campaignCounts = keptOrSummed(
  'campaign_counts',
  `select organization_id, profile_id, status, objective, currency, count(*)::integer as campaigns
    from campaigns group by organization_id, profile_id, status, objective, currency`,
)

export const resultDays = keptOrSummed(
  'result_days',
  `select r.organization_id, r.date, c.currency, r.source, c.profile_id, ${figures} ${rows}
    group by r.organization_id, r.date, c.currency, r.source, c.profile_id`,
)

export const resultLabels = keptOrSummed(
  'result_labels',
  `select r.organization_id, r.date, each.label, c.currency, r.source, c.profile_id, ${figures} ${rows}
    cross join lateral
      unnest(case when c.labels = '{}' then array[''] else c.labels end) as each (label)
    group by r.organization_id, r.date, each.label, c.currency, r.source, c.profile_id`,
)

/** By source alone, so summed up for every scope. */
export const sourceTotals = (): string =>
  `select organization_id, source, count(*)::integer as campaign_count,
    max(reported_at) as reported_at, max(complete_through) as complete_through
  from result_sources group by organization_id, source`
