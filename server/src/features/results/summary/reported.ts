/** The rows that summaries add up and exports list: reported days with what their campaigns are. */

import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { anyOf, byCurrency, type Filter, hasAny, severalOf } from '../../../query/filters.ts'
import { dayIn, monthAfter, monthOf, type Range, rangeFilters } from '../calendar.ts'

export const byCampaign: Filter = {
  ...severalOf(Type.String(), { maxValues: 100 }),
  read: (ids) => ({ condition: sql<boolean>`campaign_id = any(${ids})` }),
}

/** Filters by what only a campaign has. */
const campaignFilters = { campaign_id: byCampaign, label: hasAny('labels') }

/** Filters by what a campaign has from its profile. */
const profileFilters = { profile_id: anyOf('profile_id'), client: anyOf('client') }

export const resultFilters: Readonly<Record<string, Filter>> = {
  ...rangeFilters({ from: 'the first of this month', to: 'the first of next month' }),
  campaign_id: campaignFilters.campaign_id,
  ...profileFilters,
  label: campaignFilters.label,
  currency: byCurrency,
  source: anyOf('source'),
}

export const usesCampaigns = (filters: object): boolean =>
  Object.keys(filters).some((name) => name in campaignFilters)

export const usesProfiles = (filters: object): boolean =>
  Object.keys(filters).some((name) => name in profileFilters)

/** This month, by the clock of the organization. */
export function thisMonth(ctx: Context): Range {
  const today = dayIn(nowIn(ctx))('UTC')
  return { from: monthOf(today), to: monthAfter(today) }
}

type RowsSql = RawBuilder<unknown>

export const dailyRows = ({ organization }: Context, { from, to }: Range): RowsSql => sql`
  select campaign_id, date, source, spend_minor, adjustment_minor, impressions, clicks,
    conversions_millionths, conversion_value_minor, is_final, reported_at
  from results
  where organization_id = ${organization.id} and date >= ${from}::date and date < ${to}::date`

const given = (figure: string, counted: string) =>
  sql.raw(`case when ${counted}_count > 0 then ${figure} end as ${figure}`)

/** The columns that the sums of months and days share. */
const summedColumns = sql`source, spend_minor, adjustment_minor,
  ${given('impressions', 'impressions')}, ${given('clicks', 'clicks')},
  ${given('conversions_millionths', 'conversions')},
  ${given('conversion_value_minor', 'conversion_value')}`

/** The sums of each campaign's whole months. */
export const monthlyRows = ({ organization }: Context, { from, to }: Range): RowsSql => sql`
  select campaign_id, null::date as date, ${summedColumns}, null::boolean, null::timestamptz
  from result_months
  where organization_id = ${organization.id} and month >= ${from}::date and month < ${to}::date`

/** The sums of each profile's days; those that all campaigns have left have no rows in them. */
export const dayRows = ({ organization }: Context, { from, to }: Range): RowsSql => sql`
  select date, currency, profile_id, ${summedColumns} from result_days
  where organization_id = ${organization.id} and date >= ${from}::date and date < ${to}::date
    and row_count > 0`

export const withProfiles = ({ organization }: Context, rows: RowsSql): RowsSql => sql`
  select row.*, p.name as profile_name, p.client, p.platform
  from (${rows}) as row
  join profiles p on p.organization_id = ${organization.id} and p.id = row.profile_id`

export const withCampaigns = ({ organization }: Context, rows: RowsSql): RowsSql => sql`
  select row.*, c.name as campaign_name, c.external_id, c.currency, c.profile_id, c.labels,
    p.name as profile_name, p.client, p.platform
  from (${rows}) as row
  join campaigns c on c.organization_id = ${organization.id} and c.id = row.campaign_id
  join profiles p on p.organization_id = ${organization.id} and p.id = c.profile_id`
