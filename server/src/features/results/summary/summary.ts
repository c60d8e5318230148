import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import type { Filter } from '../../../query/filters.ts'
import { type ListShape, limitOf, type Query } from '../../../query/list.ts'
import type { Received } from '../../../query/parameters.ts'
import type { Sort } from '../../../query/sorting.ts'
import { conditionsOf, type Walk, walkOf } from '../../../query/walk.ts'
import { PageMeta, rows } from '../../../schema/fields.ts'
import { type CampaignsAsked, campaignsOnPage, countCampaigns } from './campaign-page.ts'
import { comparing } from './compared.ts'
import { daysOfCampaigns, maxDaysEach } from './days.ts'
import { groupedPage } from './grouped-page.ts'
import { groupBy, groupingsOf, isBy, onlyByCampaign } from './groupings.ts'
import { type GroupRow, groupsIn, type Selection } from './groups.ts'
import { comparisonFilter, earlierThan, periodFilters, ResultRange, rangeIn } from './period.ts'
import { include, plannedFor } from './planned.ts'
import { choosesCampaigns, resultFilters } from './reported.ts'
import { ResultGroup, shownGroup } from './result-group.ts'
import { totalsOf } from './totals.ts'

const ResultsMeta = Type.Object(
  {
    ...PageMeta.properties,
    period: ResultRange,
    previous: Type.Optional(ResultRange),
    totals: Type.Array(ResultGroup, {
      description: 'All that matches; a campaign counts once.',
    }),
  },
  {
    title: 'ResultsMeta',
    description: 'The page, and what all of it comes to.',
    basedOn: PageMeta,
  },
)

export const ResultGroupList = Type.Object(
  { data: rows(ResultGroup), meta: ResultsMeta },
  { title: 'ResultGroupList' },
)
type ResultPage = Type.Static<typeof ResultGroupList>

/** The days of each group are read for a page of campaigns, and no others. */
const includeDays: Filter = {
  schema: Type.Boolean({
    default: false,
    description: `Adds \`days\` to each campaign. Only with \`group_by=campaign\`, and for at most ${maxDaysEach} days.`,
  }),
  read: ([value], name, received) =>
    value === 'true' && (received.group_by ?? 'campaign') !== 'campaign'
      ? { fault: onlyByCampaign(name, received) }
      : { condition: sql<boolean>`true` },
}

const bySpend: Sort = { name: 'spend', key: sql.ref('spend_minor'), hasNulls: true }
const byGroup = { name: 'group', key: sql.ref('id') } satisfies Sort

export const resultList: ListShape<'campaigns'> = {
  table: 'campaigns',
  resource: 'results',
  filters: {
    group_by: groupBy,
    include_days: includeDays,
    include,
    ...periodFilters,
    ...comparisonFilter,
    ...resultFilters,
  },
  sorts: [bySpend, byGroup],
  sortFor: (filters) => (isBy(groupingsOf(filters), 'day') ? byGroup.name : undefined),
}

/** Sums by group and currency, the largest first; days in their order. */
export async function summarizeResults(ctx: Context, query: Query): Promise<ResultPage> {
  const walk = walkOf(ctx, resultList, query)
  const chosen = selectionOf(ctx, walk)
  const planned = await plannedFor(ctx, chosen)
  const selection = planned ? { ...chosen, planned } : chosen
  const areMany = await ctx.services.limits.largeLists.has(ctx, 'campaigns')
  const isLarge = areMany && isByCampaignAlone(walk.filters)
  const asked = { ...campaignsAsked(selection), count: limitOf(query) + 1 }
  const [page, totals] = await Promise.all([
    groupedPage<GroupRow, ResultGroup>(ctx, {
      list: resultList,
      query,
      walk,
      rows: await groupsIn(
        ctx,
        isLarge ? narrowed(selection, await campaignsOnPage(ctx, walk, asked)) : selection,
      ),
      presentAll: (found) => present(ctx, selection, found),
      count: isLarge ? () => countCampaigns(ctx, asked) : undefined,
    }),
    totalsOf(ctx, selection),
  ])
  const previous = earlierThan(selection.range, selection.filters)?.range
  const meta = { ...page.meta, period: selection.range, ...(previous && { previous }), totals }
  return { data: page.data, meta }
}

const campaignsAsked = ({ range, filters }: Selection): Omit<CampaignsAsked, 'count'> => {
  const { source, ...others } = filters
  return {
    range,
    ofCampaigns: choosesCampaigns(others) ? conditionsOf(resultList, others) : [],
    ofSources: conditionsOf(resultList, source === undefined ? {} : { source }),
  }
}

const narrowed = (selection: Selection, ids: readonly string[]): Selection => ({
  ...selection,
  conditions: [...selection.conditions, sql<boolean>`campaign_id = any(${ids})`],
})

const isByCampaignAlone = (filters: Received): boolean => {
  const by = groupingsOf(filters)
  return by[0] === 'campaign' && by[1] === undefined && filters.campaign_id === undefined
}

const hasDays = ({ include_days }: Received) => include_days === 'true'

/** Two groupings have many rows, of campaigns most. */
const maxDaysOfTwo = 400
const maxDaysOfCampaigns = 92

function maxDaysOf(filters: Received): number | undefined {
  if (hasDays(filters)) return maxDaysEach
  const by = groupingsOf(filters)
  if (by[1] === undefined) return undefined
  return isBy(by, 'campaign') ? maxDaysOfCampaigns : maxDaysOfTwo
}

const selectionOf = (ctx: Context, { filters, conditions }: Walk): Selection => ({
  by: groupingsOf(filters),
  range: rangeIn(ctx, filters, maxDaysOf(filters)),
  filters,
  conditions,
})

async function present(
  ctx: Context,
  selection: Selection,
  found: readonly GroupRow[],
): Promise<ResultGroup[]> {
  const ids = found.map(({ id }) => id)
  const [daysOf, compare] = await Promise.all([
    daysIn(ctx, selection, found),
    comparing(ctx, selection, ids),
  ])
  return found.map((row) => ({
    ...shownGroup(row, { by: selection.by, compare, planned: selection.planned?.groups }),
    ...daysOf(row.key_1),
  }))
}

/** The field `days` of each campaign, if it is asked for: from the rows that its sums are of. */
async function daysIn(ctx: Context, { filters, range }: Selection, found: readonly GroupRow[]) {
  if (!hasDays(filters)) return () => ({})
  const { source } = filters
  const days = await daysOfCampaigns(ctx, {
    ids: found.flatMap(({ key_1 }) => key_1 ?? []),
    range,
    conditions: conditionsOf(resultList, source === undefined ? {} : { source }),
  })
  return (id: string | null) => ({ days: days.get(id ?? '') ?? [] })
}
