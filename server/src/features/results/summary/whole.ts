/** All groups that results are summed up in, without pages: for what shows them as a whole. */

import { sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Received } from '../../../query/parameters.ts'
import { conditionsOf } from '../../../query/walk.ts'
import type { Range } from '../calendar.ts'
import { comparing } from './compared.ts'
import type { Grouping } from './groupings.ts'
import { all, type GroupRow, groupsIn, type Selection } from './groups.ts'
import { campaignRows } from './reported.ts'
import { type ResultGroup, shownGroup } from './result-group.ts'
import { resultList } from './summary.ts'
import { totalsOf } from './totals.ts'

/** Filters of the list of results, with `compare` among them, and the days. */
export type WholeSelection = { readonly range: Range; readonly filters: Received }

const selectionBy = ({ range, filters }: WholeSelection, grouping: Grouping): Selection => ({
  by: [grouping],
  range,
  filters,
  conditions: conditionsOf(resultList, filters),
})

/** All that was found, in each currency. */
export const wholeTotals = (ctx: Context, selection: WholeSelection): Promise<ResultGroup[]> =>
  totalsOf(ctx, selectionBy(selection, 'currency'))

type Limited = { readonly grouping: Grouping; readonly limit: number }

/** Days in order, other groups by what they spent; and how many there are beyond the limit. */
export async function wholeGroups(
  ctx: Context,
  whole: WholeSelection,
  { grouping, limit }: Limited,
): Promise<{ rows: ResultGroup[]; omitted: number }> {
  const selection = selectionBy(whole, grouping)
  const groups = await groupsIn(ctx, selection)
  const order = grouping === 'day' ? sql`id` : sql`spend_minor desc nulls last, id`
  const statement = sql`
    select found.*, count(*) over () as total from (${groups}) as found
    order by ${order} limit ${sql.lit(limit)}`
  const found = await ctx.reader.query<GroupRow & { total: number }>(statement.compile(builder))
  const ids = found.map(({ id }) => id)
  const compare = await comparing(ctx, selection, ids)
  const rows = found.map((row) =>
    shownGroup(row, { by: selection.by, compare, planned: undefined }),
  )
  return { rows, omitted: Number(found[0]?.total ?? 0) - found.length }
}

/** The ids of the campaigns that the filters choose, whether or not they have results. */
export async function campaignsIn(
  ctx: Context,
  filters: Received,
  limit: number,
): Promise<string[]> {
  const conditions = conditionsOf(resultList, filters)
  const statement = sql`
    select campaign_id from (${campaignRows(ctx)}) as reported where ${all(conditions)}
    order by campaign_id limit ${sql.lit(limit)}`
  const found = await ctx.reader.query<{ campaign_id: string }>(statement.compile(builder))
  return found.map(({ campaign_id }) => campaign_id)
}
