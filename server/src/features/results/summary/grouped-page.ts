import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import { cursorAfter, type ListShape, limitOf, type Page, type Query } from '../../../query/list.ts'
import { beyond, orderText } from '../../../query/sorting.ts'
import type { Total } from '../../../query/total.ts'
import type { Walk } from '../../../query/walk.ts'
import type { Fields } from '../../../schema/differences.ts'

type Grouped<Row, Item> = {
  list: ListShape<'campaigns'>
  query: Query
  walk: Walk
  /** Computed rows, with an `id` each. */
  rows: RawBuilder<unknown>
  /** Presents the rows of a page together, so that what belongs to them is read at once. */
  presentAll: (rows: Row[]) => Item[] | Promise<Item[]>
  /** Counts all rows, where `rows` has only those of the page. */
  count?: (() => Promise<Total>) | undefined
}

/** A page of computed rows: each page computes them again, and begins after the last row seen. */
export async function groupedPage<Row extends Fields, Item>(
  ctx: Context,
  { list, query, walk, rows, presentAll, count }: Grouped<Row, Item>,
): Promise<Page<Item>> {
  const limit = limitOf(query)
  const { order, after } = walk
  const isCounted = query.include_total === 'true'
  const totalColumn = isCounted && !count ? sql`, (select count(*) from grouped) as total` : sql``
  const statement = sql`
    with grouped as materialized (${rows})
    select grouped.*, ${order.key} as ${sql.ref(order.column)} ${totalColumn} from grouped
    where ${after ? beyond(order, after) : sql`true`}
    order by ${orderText(order, order.key)} limit ${sql.lit(limit + 1)}`
  const found = await ctx.reader.query<Row>(statement.compile(builder))
  const shown = found.slice(0, limit)
  const has_more = found.length > limit
  const next_cursor = has_more ? cursorAfter(ctx, list, walk, shown.at(-1)) : null
  const total = async () => (count ? count() : { total: Number(found[0]?.total ?? 0) })
  const counted = isCounted ? await total() : {}
  return { data: await presentAll(shown), meta: { next_cursor, has_more, ...counted } }
}
