import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Fields } from '../../../kernel/differences.ts'
import { cursorAfter, type ListShape, limitOf, type Page, type Query } from '../../../query/list.ts'
import { beyond, orderText } from '../../../query/sorting.ts'
import { type Walk, walkOf } from '../../../query/walk.ts'

type Grouped<Row, Item> = {
  list: ListShape<'campaigns'>
  query: Query
  /** Computes the rows, with an `id` each. */
  rowsOf: (walk: Walk) => Promise<RawBuilder<unknown>>
  /** Presents the rows of a page together, so that what belongs to them is read at once. */
  presentAll: (rows: Row[], walk: Walk) => Item[] | Promise<Item[]>
}

/** A page of computed rows: each page computes them again, and begins after the last row seen. */
export async function groupedPage<Row extends Fields, Item>(
  ctx: Context,
  { list, query, rowsOf, presentAll }: Grouped<Row, Item>,
): Promise<Page<Item>> {
  const walk = walkOf(ctx, list, query)
  const limit = limitOf(query)
  const { order, after } = walk
  const total =
    query.include_total === 'true' ? sql`, (select count(*) from grouped) as total` : sql``
  const statement = sql`
    with grouped as materialized (${await rowsOf(walk)})
    select grouped.*, ${order.key} as ${sql.ref(order.column)} ${total} from grouped
    where ${after ? beyond(order, after) : sql`true`}
    order by ${orderText(order, order.key)} limit ${sql.lit(limit + 1)}`
  const found = await ctx.reader.query<Row>(statement.compile(builder))
  const shown = found.slice(0, limit)
  const has_more = found.length > limit
  const next_cursor = has_more ? cursorAfter(ctx, list, walk, shown.at(-1)) : null
  const counted = query.include_total === 'true' ? { total: Number(found[0]?.total ?? 0) } : {}
  return { data: await presentAll(shown, walk), meta: { next_cursor, has_more, ...counted } }
}
