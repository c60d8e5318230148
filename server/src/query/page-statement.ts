import { isDeepStrictEqual } from 'node:util'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Statement } from '../database/driver/protocol.ts'
import { builder } from '../database/tables/kysely.ts'
import type { TenantTable } from '../database/tables/tenant-tables.ts'
import type { columnsOf } from '../database/tables/types.ts'
import type { Context } from '../kernel/context.ts'
import { rowsOf, type TenantQuery } from '../kernel/rows.ts'
import type { ListShape } from './list.ts'
import { withinPage } from './page-bytes.ts'
import { beyond, keyColumnsOf, type Order, orderText } from './sorting.ts'
import type { Walk } from './walk.ts'

type Column = (typeof columnsOf)[TenantTable][number]

/** The columns and the number of rows that a page reads. */
export type Reading = { columns: readonly Column[]; count: number }

export type PageOf = { list: ListShape<TenantTable>; walk: Walk; reading: Reading }

const matching = (ctx: Context, list: ListShape<TenantTable>, { conditions }: Walk) =>
  conditions.reduce((query, condition) => query.where(condition), rowsOf(ctx, list.table))

/** Per list, as lists of one table may have different standing conditions, like events by role. */
const plainPages = new WeakMap<ListShape<TenantTable>, Map<string, string>>()

function plainPagesOf(list: ListShape<TenantTable>): Map<string, string> {
  const known = plainPages.get(list) ?? new Map<string, string>()
  plainPages.set(list, known)
  return known
}

/** Most pages have no filters: their statements are compiled once. */
export function pageStatement(ctx: Context, page: PageOf): Statement {
  const { list, walk, reading } = page
  const parameters = [ctx.organization.id, ...(walk.after ?? [])]
  const isPlain = Object.keys(walk.filters).length === 0
  // After a row without a value, the condition is another.
  const shape = `${walk.sort} ${reading.count} ${reading.columns.length} ${parameters.map((value) => value === null)}`
  const known = isPlain ? plainPagesOf(list).get(shape) : undefined
  if (known !== undefined) return { sql: known, parameters }
  const compiled = pageQuery(ctx, page).compile()
  if (isPlain && isDeepStrictEqual(compiled.parameters, parameters)) {
    plainPagesOf(list).set(shape, compiled.sql)
  }
  return compiled
}

function pageQuery(ctx: Context, page: PageOf): Compilable {
  const { list, walk, reading } = page
  const { order, after } = walk
  const matched = matching(ctx, list, walk)
  const joined = withKey(matched, order)
  const rest = after ? joined.where(beyond(order, after)) : joined
  const rows = rest
    .select(reading.columns)
    .select(keyColumnsOf(order))
    .orderBy(orderText(order, order.key))
    // A literal, so that the planner knows the limit.
    .limit(sql.lit(reading.count))
  return fewRows(page) ? rows : compilable(withinBytes(rows, page))
}

/** Rows that are read by default are never too many bytes. */
const fewRows = ({ list, reading }: PageOf) => !list.wide || reading.count <= defaultReading

export const defaultReading = 26

/** The rows, or as many of them as fit a page. */
export const withinBytes = (
  rows: Parameters<typeof withinPage>[0]['rows'],
  page: PageOf,
): RawBuilder<unknown> => {
  const { list, walk } = page
  if (fewRows(page)) return sql`${rows}`
  return withinPage({
    rows,
    columns: shownColumns(page),
    wide: list.wide ?? [],
    order: orderText(walk.order, sql.ref(walk.order.column)),
  })
}

export const shownColumns = ({ reading, walk: { order } }: PageOf): readonly string[] =>
  order.isComputed ? [...reading.columns, order.column] : reading.columns

/** The rows beside what their order is by, where that is in another table. */
const withKey = <Table extends TenantTable>(rows: TenantQuery<Table>, { join }: Order) =>
  join ? rows.leftJoin(join.table.as('keys'), (on) => on.on(join.on)) : rows

/** The builder compiles raw SQL only with an executor. */
const compilable = (raw: RawBuilder<unknown>): Compilable => ({
  compile: () => raw.compile(builder),
})
