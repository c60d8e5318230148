/** The rows that summaries add up and exports list: reported days with what their campaigns are. */

import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { anyOf, byCurrency, type Filter, severalOf } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import { labelFilter } from '../../campaigns/label-filter.ts'
import { statuses } from '../../campaigns/lifecycle/transitions.ts'
import { clientFilters } from '../../clients/filter.ts'
import { platforms } from '../../profiles/schema.ts'
import { monthAfter, monthOf, type Range } from '../calendar.ts'
import { type Groupings, isBy } from './groupings.ts'

export const byCampaign: Filter = {
  ...severalOf(Type.String(), { maxValues: 100 }),
  read: (ids) => ({ condition: sql<boolean>`campaign_id = any(${ids})` }),
}

/** Filters by what only a campaign has. */
const campaignFilters = {
  campaign_id: byCampaign,
  status: anyOf('status', { allowed: statuses }),
}

/** Filters by what a campaign has from its profile. */
const profileFilters = {
  profile_id: anyOf('profile_id'),
  ...clientFilters,
  platform: anyOf('platform', { allowed: platforms }),
}

export const resultFilters: Readonly<Record<string, Filter>> = {
  ...campaignFilters,
  ...profileFilters,
  label: labelFilter,
  currency: byCurrency,
  source: anyOf('source'),
}

const usesAny = (filters: object, those: object): boolean =>
  Object.keys(filters).some((name) => name in those)

/** Whether campaigns are chosen by more than their results. */
export const choosesCampaigns = (filters: object): boolean =>
  usesAny(filters, { ...campaignFilters, ...profileFilters, label: true, currency: true })

type RowsSql = RawBuilder<unknown>

type Tenant = Pick<Context, 'organization'>

export const dailyRows = ({ organization }: Tenant, { from, to }: Range): RowsSql => sql`
  select campaign_id, date, source, spend_minor, adjustment_minor, impressions, clicks,
    conversions_millionths, conversion_value_minor, is_final, reported_at
  from results
  where organization_id = ${organization.id} and date >= ${from}::date and date < ${to}::date`

const given = (figure: string, counted: string) =>
  sql.raw(`case when ${counted}_count > 0 then ${figure} end as ${figure}`)

/** The columns that all sums share. */
const summedColumns = sql`source, spend_minor, adjustment_minor,
  ${given('impressions', 'impressions')}, ${given('clicks', 'clicks')},
  ${given('conversions_millionths', 'conversions')},
  ${given('conversion_value_minor', 'conversion_value')}, final_count = row_count as is_final`

/** The sums of each campaign's whole months. */
const monthlyRows = ({ organization }: Tenant, { from, to }: Range): RowsSql => sql`
  select campaign_id, null::date as date, ${summedColumns}, null::timestamptz as reported_at
  from result_months
  where organization_id = ${organization.id} and month >= ${from}::date and month < ${to}::date`

const inRange = ({ organization }: Tenant, { from, to }: Range): RowsSql => sql`
  organization_id = ${organization.id} and date >= ${from}::date and date < ${to}::date
    and row_count > 0`

/** The sums of each profile's days; those that all campaigns have left have no rows in them. */
const dayRows = (tenant: Tenant, range: Range): RowsSql => sql`
  select date, currency, profile_id, ${summedColumns} from result_days
  where ${inRange(tenant, range)}`

/** The sums of each label's days; a campaign is in those of each of its labels. */
const labelRows = (tenant: Tenant, range: Range): RowsSql => sql`
  select date, currency, profile_id, nullif(label, '') as label, array[label] as labels,
    ${summedColumns}
  from result_labels where ${inRange(tenant, range)}`

const withProfiles = ({ organization }: Tenant, rows: RowsSql): RowsSql => sql`
  select row.*, p.name as profile_name, p.client_id, p.client, p.client_folded, p.platform
  from (${rows}) as row
  join profile_details p on p.organization_id = ${organization.id} and p.id = row.profile_id`

export const withCampaigns = ({ organization }: Tenant, rows: RowsSql): RowsSql => sql`
  select row.*, c.name as campaign_name, c.external_id, c.currency, c.profile_id, c.labels, c.status,
    p.name as profile_name, p.client_id, p.client, p.client_folded, p.platform
  from (${rows}) as row
  join campaigns c on c.organization_id = ${organization.id} and c.id = row.campaign_id
  join profile_details p on p.organization_id = ${organization.id} and p.id = c.profile_id`

/** The campaigns themselves, with what filters may name. */
export const campaignRows = ({ organization }: Tenant): RowsSql => sql`
  select c.organization_id, c.id as campaign_id, c.currency, c.profile_id, c.labels, c.status, p.client_id, p.client, p.client_folded, p.platform,
    c.launched_at, c.start_at, c.end_at, c.updated_at
  from campaigns c
  join profile_details p on p.organization_id = c.organization_id and p.id = c.profile_id
  where c.organization_id = ${organization.id}`

const withEachLabel = (rows: RowsSql): RowsSql => sql`
  select row.*, label from (${rows}) as row
  left join lateral unnest(labels) as each (label) on true`

type Asked = { readonly by: Groupings; readonly range: Range; readonly filters: Received }

/**
 * The fewest rows that give the sums: of whole days by profile or label, however many campaigns there
 * are; else of each campaign's months, and of its days only at the edges.
 */
export async function rowsFor(ctx: Context, { by, range, filters }: Asked): Promise<RowsSql> {
  const needsProfiles =
    isBy(by, 'profile', 'client', 'platform') || usesAny(filters, profileFilters)
  const completed = (rows: RowsSql) => (needsProfiles ? withProfiles(ctx, rows) : rows)
  if (!isBy(by, 'campaign') && !usesAny(filters, campaignFilters)) {
    if (filters.label === undefined && !isBy(by, 'label')) return completed(dayRows(ctx, range))
    if (hasOneLabel(filters, by)) return completed(labelRows(ctx, range))
  }
  const rows = withCampaigns(ctx, await campaignSums(ctx, { by, range }))
  return isBy(by, 'label') ? withEachLabel(rows) : rows
}

/** Whether no campaign is in the sums of several labels that would be added up. */
const hasOneLabel = ({ label }: Received, by: Groupings): boolean =>
  label === undefined
    ? isBy(by, 'label')
    : !isBy(by, 'label') && typeof label === 'string' && !label.includes(',')

/** By day if that is asked for, else by month as far as months are whole. */
export async function campaignSums(
  ctx: Context,
  { by, range }: { by: Groupings; range: Range },
): Promise<RowsSql> {
  if (isBy(by, 'day')) return dailyRows(ctx, range)
  const months = await wholeMonths(ctx, range)
  if (months.from >= months.to) return dailyRows(ctx, range)
  const edges = [
    { from: range.from, to: months.from },
    { from: months.to, to: range.to },
  ].filter(({ from, to }) => from < to)
  const parts = [monthlyRows(ctx, months), ...edges.map((edge) => dailyRows(ctx, edge))]
  return sql.join(parts, sql` union all `)
}

const edgesSql = `
  select
    exists (select from result_days
      where organization_id = $1 and date >= $2::date and date < $3::date
        and row_count > 0) as before,
    exists (select from result_days
      where organization_id = $1 and date >= $4::date and date < $5::date
        and row_count > 0) as after`

/** The months whose sums count: also those of which there is nothing outside of the range. */
async function wholeMonths(ctx: Context, { from, to }: Range): Promise<Range> {
  const [first, last] = [monthOf(from), monthOf(to)]
  if (from === first && to === last) return { from, to }
  const edges = [first, from, to, monthAfter(to)]
  const [found] = await ctx.reader.query<{ before: boolean; after: boolean }>(
    tenantQuery(ctx, edgesSql, ...edges),
  )
  const hasMore = found ?? { before: true, after: true }
  return {
    from: hasMore.before ? monthAfter(from) : first,
    to: to === last || hasMore.after ? last : monthAfter(to),
  }
}
