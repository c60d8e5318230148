import { isDeepStrictEqual } from 'node:util'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { ByteBudget } from '../database/driver/byte-budget.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { builder } from '../database/tables/kysely.ts'
import type { Row, TenantTable } from '../database/tables/tenant-tables.ts'
import { columnsOf } from '../database/tables/types.ts'
import type { Context } from '../kernel/context.ts'
import type { Fields } from '../kernel/differences.ts'
import { nameFields, withNames } from '../kernel/people.ts'
import { rowsOf, type TenantQuery } from '../kernel/rows.ts'
import { names, shows } from './fields.ts'
import { type Condition, type Filter, readFilter } from './filters.ts'
import { fitting, maxPageBytes, withinPage } from './page-bytes.ts'
import { badParameters, type ParameterValue, type Received, ruledBy } from './parameters.ts'
import {
  beyond,
  defaultSort,
  keyColumnsOf,
  nameOf,
  type Order,
  orderText,
  type Sort,
} from './sorting.ts'
import { cursorParameter, type Walk, walkOf } from './walk.ts'

/** Parameters that are never lists. */
type Single =
  | ('cursor' | 'limit' | 'sort' | 'include_total')
  | ('all' | 'as_of' | 'format' | 'from' | 'since_checkpoint' | 'to')

/** Query parameters as received. */
export type Query = Readonly<
  Record<string, ParameterValue | undefined> & Partial<Record<Single, string | undefined>>
>

export type ListShape<Table extends TenantTable> = {
  table: Table
  /** Names the list in its cursors, where another list has the same table. */
  resource?: string
  filters: Readonly<Record<string, Filter>>
  /** The first, descending, is the default. */
  sorts: readonly Sort[]
  /** The default where filters ask for rows that have an order of their own. */
  sortFor?: (filters: Received) => string | undefined
  /** Columns that may be large: JSON, lists, long texts. */
  wide?: readonly string[]
  /** Columns that rows have only where `fields` names them. */
  onRequest?: readonly string[]
  /** The condition that applies unless a filter or parameter lifts it. */
  standing?: (filters: Received) => Condition | undefined
}

export type Page<Item> = {
  data: Item[]
  meta: { next_cursor: string | null; has_more: boolean; total?: number }
}

const defaultLimit = 25
const maxLimit = 100
/** Every parameter of a list; `include_*` switches count as filters. */
export const listParameters = ({
  table,
  resource = table,
  filters,
  sorts,
}: ListShape<TenantTable>) => ({
  ...filterParameters(filters),
  cursor: cursorParameter(resource),
  limit: Type.Integer({
    minimum: 1,
    default: defaultLimit,
    description: `Rows per page, capped at ${maxLimit}. A page has at most 1 MiB, so it may contain fewer large rows.`,
  }),
  sort: Type.String({
    enum: sorts.map(nameOf).flatMap((sort) => [sort, `-${sort}`]),
    default: defaultSort(sorts),
    description: 'Prefix `-` for descending.',
  }),
  include_total: Type.Boolean({ default: false, description: 'Adds `meta.total`.' }),
})

export const filterParameters = (filters: ListShape<TenantTable>['filters']) =>
  Object.fromEntries(
    Object.entries(filters).map(([parameter, filter]) => [
      parameter,
      ruledBy(filter.schema, {
        repeats: filter.maxValues !== undefined,
        check(name, received) {
          const read = readFilter(filter, name, received)
          return 'fault' in read ? badParameters([read.fault]) : undefined
        },
      }),
    ]),
  )

type PageRequest<Table extends TenantTable> = { list: ListShape<Table>; query: Query }

/** One page by keyset pagination: each row that exists throughout is returned exactly once. */
export const pageOf = <Table extends TenantTable, Item extends object>(
  ctx: Context,
  { present, ...request }: PageRequest<Table> & { present: (row: Row<Table>) => Item },
): Promise<Page<Item>> =>
  joinedPageOf(ctx, { ...request, presentAll: (rows) => rows.map((row) => present(row)) })

/** A page whose rows are presented together, so that related rows are read at once. */
export async function joinedPageOf<Table extends TenantTable, Item extends object>(
  ctx: Context,
  {
    list,
    query,
    presentAll,
  }: PageRequest<Table> & { presentAll: (rows: Row<Table>[]) => Item[] | Promise<Item[]> },
): Promise<Page<Item>> {
  const walk = walkOf(ctx, list, query)
  const limit = limitOf(query)
  const budget = new ByteBudget(maxPageBytes)
  const [rows, total] = await Promise.all([
    ctx.reader.query<Row<Table> & Fields>({
      ...pageStatement(ctx, list, walk, {
        columns: columnsFor(list, query),
        count: readingFor(limit + 1),
      }),
      budget,
    }),
    query.include_total === 'true' ? countRows(ctx, list, walk) : undefined,
  ])
  ctx.services.limits.largeReads.note(ctx.organization.id, budget.taken)
  const shown = rows.slice(0, limit)
  const presented = await presentAll(shown)
  const data = fitting(await withAskedNames(ctx, query, presented), budget)
  const has_more = data.length < rows.length || budget.isExceeded
  const last = shown[data.length - 1]
  const next_cursor = has_more ? cursorAfter(ctx, list, walk, last) : null
  const counted = total === undefined ? {} : { total }
  return { data, meta: { next_cursor, has_more, ...counted } }
}

const withAskedNames = async <Item extends object>(
  ctx: Context,
  query: Query,
  items: Item[],
): Promise<Item[]> =>
  nameFields.some((field) => shows(query, field)) ? withNames(ctx, items) : items

/** The maximum number of rows of a page, from the query. */
export const limitOf = ({ limit }: Query) => Math.min(Number(limit ?? defaultLimit), maxLimit)

/** The cursor of the next page. */
export function cursorAfter(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: Walk,
  last: Fields | undefined,
): string {
  return ctx.services.crypto.cursors.write({
    organization: ctx.organization.id,
    resource: list.resource ?? list.table,
    sort: walk.sort,
    filters: walk.filters,
    last: [last?.[walk.order.column], String(last?.id)],
  })
}

const matching = (ctx: Context, list: ListShape<TenantTable>, { conditions }: Walk) =>
  conditions.reduce((query, condition) => query.where(condition), rowsOf(ctx, list.table))

/** Per list, as lists of one table may have different standing conditions, like events by role. */
const plainPages = new WeakMap<ListShape<TenantTable>, Map<string, string>>()

function plainPagesOf(list: ListShape<TenantTable>): Map<string, string> {
  const known = plainPages.get(list) ?? new Map<string, string>()
  plainPages.set(list, known)
  return known
}

/** How many rows to read: fewer when they carry long texts, and one more to see whether a page follows. */
const defaultReading = defaultLimit + 1
const readings = [defaultReading, 51, maxLimit + 1]
const readingFor = (count: number) => readings.find((rows) => rows >= count) ?? count

function columnsFor({ table, onRequest = [] }: ListShape<TenantTable>, query: Query) {
  const columns: readonly Column[] = columnsOf[table]
  const omitted = onRequest.filter((column) => !names(query, column))
  return omitted.length === 0 ? columns : columns.filter((column) => !omitted.includes(column))
}

type Column = (typeof columnsOf)[TenantTable][number]
type Reading = { columns: readonly Column[]; count: number }

/** Most pages have no filters: their statements are compiled once. */
function pageStatement(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: Walk,
  reading: Reading,
): Statement {
  const parameters = [ctx.organization.id, ...(walk.after ?? [])]
  const isPlain = Object.keys(walk.filters).length === 0
  // After a row without a value, the condition is another.
  const shape = `${walk.sort} ${reading.count} ${reading.columns.length} ${parameters.map((value) => value === null)}`
  const known = isPlain ? plainPagesOf(list).get(shape) : undefined
  if (known !== undefined) return { sql: known, parameters }
  const compiled = pageQuery(ctx, list, walk, reading).compile()
  if (isPlain && isDeepStrictEqual(compiled.parameters, parameters)) {
    plainPagesOf(list).set(shape, compiled.sql)
  }
  return compiled
}

function pageQuery(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: Walk,
  { columns, count }: Reading,
): Compilable {
  const { order, after } = walk
  const matched = matching(ctx, list, walk)
  const joined = withKey(matched, order)
  const rest = after ? joined.where(beyond(order, after)) : joined
  const rows = rest
    .select(columns)
    .select(keyColumnsOf(order))
    .orderBy(orderText(order, order.key))
    // A literal, so that the planner knows the limit.
    .limit(sql.lit(count))
  const { wide } = list
  if (!wide || count <= defaultReading) return rows
  const shown = order.isComputed ? [...columns, order.column] : columns
  const inner = orderText(order, sql.ref(order.column))
  return compilable(withinPage({ rows, columns: shown, wide, order: inner }))
}

/** The rows beside what their order is by, where that is in another table. */
const withKey = <Table extends TenantTable>(rows: TenantQuery<Table>, { join }: Order) =>
  join ? rows.leftJoin(join.table.as('keys'), (on) => on.on(join.on)) : rows

/** The builder compiles raw SQL only with an executor. */
const compilable = (raw: RawBuilder<unknown>): Compilable => ({
  compile: () => raw.compile(builder),
})

async function countRows(ctx: Context, list: ListShape<TenantTable>, walk: Walk): Promise<number> {
  const query = matching(ctx, list, walk).select((eb) => eb.fn.countAll<number>().as('total'))
  const [row] = await ctx.reader.query<{ total: number }>(query.compile())
  return row?.total ?? 0
}
