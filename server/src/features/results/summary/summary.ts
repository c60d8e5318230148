import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Fault } from '../../../problems/problem.ts'
import type { Filter } from '../../../query/filters.ts'
import type { ListShape, Page, Query } from '../../../query/list.ts'
import type { Received } from '../../../query/parameters.ts'
import type { Sort } from '../../../query/sorting.ts'
import { conditionsOf, type Walk } from '../../../query/walk.ts'
import { choice, orNull, pageOfSchema, text } from '../../../schema/fields.ts'
import { exponentFor } from '../../../values/money.ts'
import { hasKey, keysOf } from '../../../values/objects.ts'
import { monthAfter, monthOf, type Range, rangeOf } from '../calendar.ts'
import { daysOfCampaigns, maxDaysEach, ResultDay } from './days.ts'
import { groupedPage } from './grouped-page.ts'
import { type Sums, shownSums, sumFields } from './metrics.ts'
import {
  dailyRows,
  dayRows,
  monthlyRows,
  resultFilters,
  thisMonth,
  usesCampaigns,
  usesProfiles,
  withCampaigns,
  withProfiles,
} from './reported.ts'

/** The columns by which rows are grouped: the key, and its name. */
const groupings = {
  campaign: { key: 'campaign_id', name: 'campaign_name' },
  profile: { key: 'profile_id', name: 'profile_name' },
  client: { key: 'client' },
  platform: { key: 'platform' },
  label: { key: 'label' },
  currency: { key: 'currency' },
  day: { key: 'date' },
  source: { key: 'source' },
} as const satisfies Record<string, { key: string; name?: string }>

type Grouping = keyof typeof groupings

export const ResultGroup = Type.Object(
  {
    group: orNull(
      text('Id of the campaign or profile; else the client, label, day …; null: none.'),
    ),
    name: orNull(text('Name of the campaign or profile.')),
    ...sumFields,
    days: Type.Optional(
      Type.Array(ResultDay, {
        description:
          'With `include_days`: its days in order, without those that nothing was reported of.',
      }),
    ),
  },
  { title: 'ResultGroup', description: 'What one group spent and achieved in one currency.' },
)
type ResultGroup = Type.Static<typeof ResultGroup>

export const ResultGroupList = pageOfSchema(ResultGroup)

const groupBy: Filter = {
  schema: choice(keysOf(groupings), {
    default: 'campaign',
    description:
      'Each group has a row for each currency. A campaign counts for each of its labels. Days come in their order, unless `sort` says otherwise.',
  }),
  read: () => ({ condition: sql<boolean>`true` }),
}

/** The days of each group are read for a page of campaigns, and no others. */
const includeDays: Filter = {
  schema: Type.Boolean({
    default: false,
    description: `Adds \`days\` to each campaign. Only with \`group_by=campaign\`, and for at most ${maxDaysEach} days.`,
  }),
  read: ([value], _, { group_by }) =>
    value === 'true' && group_by !== undefined && group_by !== 'campaign'
      ? { fault: onlyByCampaign(String(group_by)) }
      : { condition: sql<boolean>`true` },
}

const onlyByCampaign = (given: string): Fault => ({
  parameter: 'group_by',
  code: 'invalid_enum_value',
  message: 'must be campaign where include_days is set',
  allowed: ['campaign'],
  given: given.slice(0, 80),
})

const bySpend: Sort = { name: 'spend', key: sql.ref('spend_minor') }
const byGroup = { name: 'group', key: sql.ref('id') } satisfies Sort

export const resultList: ListShape<'campaigns'> = {
  table: 'campaigns',
  resource: 'results',
  filters: { group_by: groupBy, include_days: includeDays, ...resultFilters },
  sorts: [bySpend, byGroup],
  sortFor: ({ group_by }) => (group_by === 'day' ? byGroup.name : undefined),
}

type GroupRow = Sums & { id: string; group: string | null; name: string | null }

/** Sums by group and currency, the largest first; days in their order. */
export const summarizeResults = (ctx: Context, query: Query): Promise<Page<ResultGroup>> =>
  groupedPage<GroupRow, ResultGroup>(ctx, {
    list: resultList,
    query,
    rowsOf: (walk) => groupsIn(ctx, walk),
    presentAll: async (rows, walk) => {
      const daysOf = await daysIn(ctx, walk, rows)
      return rows.map(({ group, name, ...sums }) => ({
        group,
        name,
        ...shownSums(sums, exponentFor(sums.currency)),
        ...daysOf(group),
      }))
    },
  })

/** The field `days` of each campaign, if it is asked for: from the rows that its sums are of. */
async function daysIn(ctx: Context, { filters }: Walk, groups: readonly GroupRow[]) {
  if (!hasDays(filters)) return () => ({})
  const { source } = filters
  const days = await daysOfCampaigns(ctx, {
    ids: groups.flatMap(({ group }) => group ?? []),
    range: rangeIn(ctx, filters),
    conditions: conditionsOf(resultList, source === undefined ? {} : { source }),
  })
  return (id: string | null) => ({ days: days.get(id ?? '') ?? [] })
}

const hasDays = ({ include_days }: Received) => include_days === 'true'

const rangeIn = (ctx: Context, filters: Received): Range =>
  rangeOf(filters, thisMonth(ctx), hasDays(filters) ? maxDaysEach : undefined)

async function groupsIn(ctx: Context, { filters, conditions }: Walk): Promise<RawBuilder<unknown>> {
  const asked = String(filters.group_by)
  const grouping: Grouping = hasKey(groupings, asked) ? asked : 'campaign'
  const range = rangeIn(ctx, filters)
  const rows = await rowsFor(ctx, { grouping, range, filters })
  const { key, name }: { key: string; name?: string } = groupings[grouping]
  const keyText = sql`${sql.ref(key)}::text`
  const labels =
    grouping === 'label' ? sql`left join lateral unnest(labels) as each (label) on true` : sql``
  return sql`
    select ${keyText} as "group", ${name ? sql`max(${sql.ref(name)})` : sql`null::text`} as name,
      currency, (coalesce(${keyText}, '') || ' ' || currency) collate "C" as id,
      sum(spend_minor)::bigint as spend_minor,
      sum(adjustment_minor)::bigint as adjustment_minor,
      sum(impressions)::bigint as impressions,
      sum(clicks)::bigint as clicks,
      sum(conversions_millionths)::bigint as conversions_millionths,
      sum(conversion_value_minor)::bigint as conversion_value_minor
    from (${rows}) as reported ${labels}
    where ${sql.join([sql`true`, ...conditions], sql` and `)}
    group by ${sql.ref(key)}, currency`
}

type SummaryRequest = { grouping: Grouping; range: Range; filters: object }

/** The fewest rows that give the sums: of whole days, of months, and of days only at the edges. */
async function rowsFor(ctx: Context, { grouping, range, filters }: SummaryRequest) {
  if (!usesCampaigns(filters)) {
    const isOfProfiles = grouping === 'profile' || grouping === 'client' || grouping === 'platform'
    const isOfDays = grouping === 'day' || grouping === 'currency' || grouping === 'source'
    if (isOfDays && !usesProfiles(filters)) return dayRows(ctx, range)
    if (isOfDays || isOfProfiles) return withProfiles(ctx, dayRows(ctx, range))
  }
  if (grouping === 'day') return withCampaigns(ctx, dailyRows(ctx, range))
  const months = await wholeMonths(ctx, range)
  if (months.from >= months.to) return withCampaigns(ctx, dailyRows(ctx, range))
  const parts = [monthlyRows(ctx, months)]
  const [before, after] = [
    { from: range.from, to: months.from },
    { from: months.to, to: range.to },
  ]
  for (const edge of [before, after]) if (edge.from < edge.to) parts.push(dailyRows(ctx, edge))
  return withCampaigns(ctx, sql.join(parts, sql` union all `))
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
