import { Type } from 'typebox'
import type { Row, TenantTable } from '../database/tables/tenant-tables.ts'
import { columnsOf } from '../database/tables/types.ts'
import type { Context } from '../kernel/context.ts'
import { nameFields, withNames } from '../kernel/people.ts'
import type { Sized } from '../limits/large-lists.ts'
import type { Fields } from '../schema/differences.ts'
import { names, shows } from './fields.ts'
import { type Condition, type Filter, readFilter } from './filters.ts'
import { fitting } from './page-bytes.ts'
import { type PageRows, rowsInOrder } from './page-rows.ts'
import { defaultReading } from './page-statement.ts'
import { badParameters, type ParameterValue, type Received, ruledBy } from './parameters.ts'
import { nearestTo, searched } from './searched.ts'
import { defaultSort, nameOf, type Sort } from './sorting.ts'
import { type Tally, type Total, totalOf } from './total.ts'
import { cursorParameter, scopeDigest, type Walk, walkOf } from './walk.ts'

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
  /** The table of which a view has one row for each: enough where only their order counts. */
  ordered?: TenantTable
  filters: Readonly<Record<string, Filter>>
  /** The first, descending, is the default. */
  sorts: readonly Sort[]
  /** The default where filters ask for rows that have an order of their own. */
  sortFor?: (filters: Received) => string | undefined
  /** Columns that may be large: JSON, lists, long texts. */
  wide?: readonly string[]
  /** Columns that rows have only where `fields` names them. */
  onRequest?: readonly string[]
  /** The count of its rows, where an organization may have very many. */
  sized?: Sized
  /** Whether its rows have a `sequence` without gaps, and end at their oldest. */
  isNumbered?: true
  /** Running counts of its rows, and the filters whose conditions hold for them, too. */
  tally?: Tally
  /** Whether one index has the rows that the filters find in the order of the walk. */
  ordersWithin?: (walk: Walk) => boolean
  /** The rows of the table that it is of, where its indexes have no others. */
  only?: Condition
  /** The condition that applies unless a filter or parameter lifts it. */
  standing?: (filters: Received) => Condition | undefined
}

export type Page<Item> = {
  data: Item[]
  meta: { next_cursor: string | null; has_more: boolean; search?: 'similar' } & Partial<Total>
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
  const { walk, rows, budget, total } = await found<Row<Table> & Fields>(ctx, list, query)
  const limit = limitOf(query)
  ctx.services.limits.largeReads.note(ctx.organization.id, budget.taken)
  const shown = rows.slice(0, limit)
  const presented = await presentAll(shown)
  const data = fitting(await withAskedNames(ctx, query, presented), budget)
  const has_more = data.length < rows.length || budget.isExceeded
  const last = shown[data.length - 1]
  const next_cursor = has_more ? cursorAfter(ctx, list, walk, last) : null
  const search = walk.nearest && ({ search: 'similar' } as const)
  return { data, meta: { next_cursor, has_more, ...total, ...search } }
}

type FoundPage<Row> = PageRows<Row> & { walk: Walk; total: Total | undefined }

/** The page of what is asked for; where no row has its words, of the nearest ones. */
async function found<Found extends Fields>(
  ctx: Context,
  list: ListShape<TenantTable>,
  query: Query,
): Promise<FoundPage<Found>> {
  const walk = walkOf(ctx, list, query)
  const exact = await pageIn<Found>(ctx, { list, query, walk })
  if (exact.rows.length > 0 || walk.after) return exact
  const nearest = await nearestTo(ctx, list, walk)
  if (!nearest) return exact
  const similar = await pageIn<Found>(ctx, { list, query, walk: { ...walk, nearest } })
  return similar.rows.length > 0 ? similar : exact
}

type Walking = { list: ListShape<TenantTable>; query: Query; walk: Walk }

async function pageIn<Found extends Fields>(
  ctx: Context,
  { list, query, walk: asked }: Walking,
): Promise<FoundPage<Found>> {
  const walk = await searched(ctx, list, asked)
  const reading = { columns: columnsFor(list, query), count: readingFor(limitOf(query) + 1) }
  const [read, total] = await Promise.all([
    rowsInOrder<Found>(ctx, { list, walk, reading }),
    query.include_total === 'true' ? totalOf(ctx, list, walk) : undefined,
  ])
  return { ...read, walk, total }
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
    ...(ctx.scope && { scope: scopeDigest(ctx.scope) }),
    sort: walk.sort,
    filters: walk.filters,
    last: [last?.[walk.order.column], String(last?.id)],
    nearest: walk.nearest,
  })
}

/** How many rows to read: fewer when they carry long texts, and one more to see whether a page follows. */
const readings = [defaultReading, 51, maxLimit + 1]
const readingFor = (count: number) => readings.find((rows) => rows >= count) ?? count

function columnsFor({ table, onRequest = [] }: ListShape<TenantTable>, query: Query) {
  const columns: readonly (typeof columnsOf)[TenantTable][number][] = columnsOf[table]
  const omitted = onRequest.filter((column) => !names(query, column))
  return omitted.length === 0 ? columns : columns.filter((column) => !omitted.includes(column))
}
