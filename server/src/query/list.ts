import { isDeepStrictEqual } from 'node:util'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { CursorState } from '../crypto/cursors.ts'
import { ByteBudget } from '../database/byte-budget.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { builder } from '../database/kysely.ts'
import type { Row, TenantTable } from '../database/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import { everyColumn, rowsOf } from '../kernel/rows.ts'
import { type Fault, Problem } from '../problems/problem.ts'
import type { Condition, Filter } from './filters.ts'
import { fitting, maxPageBytes, withinPage } from './page-bytes.ts'
import { badParameters, checkedBy } from './parameters.ts'

/** Query parameters as received. */
export type Query = Readonly<Record<string, string | undefined>>

export type ListShape<Table extends TenantTable> = {
  table: Table
  filters: Readonly<Record<string, Filter>>
  /** Sortable columns; the first, descending, is the default. */
  sorts: readonly string[]
  /** Columns that may be large: JSON, lists, long texts. */
  wide?: readonly string[]
  /** The condition that applies unless a filter or parameter lifts it. */
  standing?: (filters: Readonly<Record<string, string>>) => Condition | undefined
}

export type Page<Item> = {
  data: Item[]
  meta: { next_cursor: string | null; has_more: boolean; total?: number }
}

const defaultLimit = 25
const maxLimit = 100
/** Every parameter of a list; `include_*` switches count as filters. */
export const listParameters = ({ table, filters, sorts }: ListShape<TenantTable>) => ({
  ...filterParameters(filters),
  cursor: cursorParameter(table),
  limit: Type.Integer({
    minimum: 1,
    default: defaultLimit,
    description: `Rows per page, capped at ${maxLimit}. A page has at most 1 MiB, so it may contain fewer large rows.`,
  }),
  sort: Type.String({
    enum: sorts.flatMap((sort) => [sort, `-${sort}`]),
    default: `-${sorts[0]}`,
    description: 'Prefix Prefix `-` for descending.',
  }),
  include_total: Type.Boolean({ default: false, description: 'Adds `meta.total`.' }),
})

export const filterParameters = (filters: ListShape<TenantTable>['filters']) =>
  Object.fromEntries(
    Object.entries(filters).map(([parameter, { schema, read }]) => [
      parameter,
      checkedBy(schema, (text, name) => {
        const found = read(text, name)
        return 'fault' in found ? badParameters([found.fault]) : undefined
      }),
    ]),
  )

/** The position to continue from. */
export const cursorParameter = (resource: string) =>
  checkedBy(
    Type.String({ maxLength: 4096, description: '`meta.next_cursor` of the previous page.' }),
    (text, _, ctx) => (cursorOf(ctx, resource, text) ? undefined : mismatchedCursor()),
  )

type PageRequest<Table extends TenantTable> = { list: ListShape<Table>; query: Query }

/** One page by keyset pagination: each row that exists throughout is returned exactly once. */
export const pageOf = <Table extends TenantTable, Item>(
  ctx: Context,
  { present, ...request }: PageRequest<Table> & { present: (row: Row<Table>) => Item },
): Promise<Page<Item>> =>
  joinedPageOf(ctx, { ...request, presentAll: (rows) => rows.map((row) => present(row)) })

/** A page whose rows are presented together, so that related rows are read at once. */
export async function joinedPageOf<Table extends TenantTable, Item>(
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
    ctx.reader.query<Row<Table>>({
      ...pageStatement(ctx, list, walk, readingFor(limit + 1)),
      budget,
    }),
    query.include_total === 'true' ? countRows(ctx, list, walk) : undefined,
  ])
  ctx.services.largeReads.note(ctx.organization.id, budget.taken)
  const shown = rows.slice(0, limit)
  const data = fitting(await presentAll(shown), budget)
  const has_more = data.length < rows.length || budget.isExceeded
  const last = shown[data.length - 1]
  const next_cursor = has_more ? cursorAfter(ctx, list, walk, last) : null
  const counted = total === undefined ? {} : { total }
  return { data, meta: { next_cursor, has_more, ...counted } }
}

/** The maximum number of rows of a page, from the query. */
export const limitOf = ({ limit }: Query) => Math.min(Number(limit ?? defaultLimit), maxLimit)

type PageWalk = {
  sort: string
  filters: Record<string, string>
  conditions: Condition[]
  after: CursorState['last'] | undefined
}

function walkOf(ctx: Context, list: ListShape<TenantTable>, query: Query): PageWalk {
  const request = requestedFilters(list, query)
  const continued = query.cursor === undefined ? undefined : readCursor(ctx, list, query.cursor)
  const sort = query.sort ?? continued?.sort ?? `-${list.sorts[0]}`
  const filters = continued && Object.keys(request).length === 0 ? continued.filters : request
  if (continued && !isSameWalk(continued, sort, filters)) {
    throw invalidCursor('The cursor belongs to a list with other filters or another sort order.')
  }
  return {
    sort,
    filters,
    conditions: conditionsOf(list, filters),
    after: continued?.last,
  }
}

const requestedFilters = (list: ListShape<TenantTable>, query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.keys(list.filters)
      .sort()
      .flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  )

const isSameWalk = (cursor: CursorState, sort: string, filters: Record<string, string>) =>
  cursor.sort === sort && JSON.stringify(cursor.filters) === JSON.stringify(filters)

function readCursor(ctx: Context, list: ListShape<TenantTable>, text: string): CursorState {
  const state = cursorOf(ctx, list.table, text)
  if (!state) throw mismatchedCursor()
  return state
}

function cursorOf(ctx: Context, resource: string, text: string): CursorState | undefined {
  const state = ctx.services.cursors.read(text)
  const isOwn = state?.organization === ctx.organization.id && state.resource === resource
  return isOwn ? state : undefined
}

const mismatchedCursor = () => invalidCursor('The cursor is damaged or belongs to another list.')

const invalidCursor = (detail: string) =>
  new Problem('invalid_cursor', detail, {
    faults: [{ parameter: 'cursor', code: 'invalid_format', message: 'cannot be used here' }],
  })

/** The conditions of all filters; throws 400 with every fault. */
export function conditionsOf(
  list: ListShape<TenantTable>,
  filters: Record<string, string>,
): Condition[] {
  const faults: Fault[] = []
  const conditions: Condition[] = []
  for (const [name, text] of Object.entries(filters)) {
    const read = list.filters[name]?.read(text, name)
    if (read && 'fault' in read) faults.push(read.fault)
    if (read && 'condition' in read) conditions.push(read.condition)
  }
  if (faults.length > 0) throw badParameters(faults)
  const standing = list.standing?.(filters)
  return standing ? [...conditions, standing] : conditions
}

function cursorAfter(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: PageWalk,
  last: unknown,
): string {
  const row = last as Record<string, unknown>
  return ctx.services.cursors.write({
    organization: ctx.organization.id,
    resource: list.table,
    sort: walk.sort,
    filters: walk.filters,
    last: [row[walk.sort.replace('-', '')], String(row.id)],
  })
}

/** One query type for all tables: Kysely cannot resolve columns of a type parameter. */
type AnyRows = ReturnType<typeof rowsOf<'campaigns'>>

function matching(ctx: Context, list: ListShape<TenantTable>, walk: PageWalk): AnyRows {
  const query = rowsOf(ctx, list.table as 'campaigns')
  return walk.conditions.reduce((narrowed, condition) => narrowed.where(condition), query)
}

/** Per list, as lists of one table may have different standing conditions, like events by role. */
const plainPages = new WeakMap<ListShape<TenantTable>, Map<string, string>>()

function plainPagesOf(list: ListShape<TenantTable>): Map<string, string> {
  const known = plainPages.get(list) ?? new Map<string, string>()
  plainPages.set(list, known)
  return known
}

/** How many rows are read: few texts, whatever limits clients ask for, and one row tells of more. */
const defaultReading = defaultLimit + 1
const readings = [defaultReading, 51, maxLimit + 1]
const readingFor = (count: number) => readings.find((rows) => rows >= count) ?? count

/** Most pages have no filters: their statements are compiled once. */
function pageStatement(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: PageWalk,
  count: number,
): Statement {
  const parameters = [ctx.organization.id, ...(walk.after ?? [])]
  const isPlain = Object.keys(walk.filters).length === 0
  const shape = `${walk.sort} ${count} ${parameters.length}`
  const known = isPlain ? plainPagesOf(list).get(shape) : undefined
  if (known !== undefined) return { sql: known, parameters }
  const compiled = pageQuery(ctx, list, walk, count).compile()
  if (isPlain && isDeepStrictEqual(compiled.parameters, parameters)) {
    plainPagesOf(list).set(shape, compiled.sql)
  }
  return compiled
}

function pageQuery(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: PageWalk,
  count: number,
): Compilable {
  const isDescending = walk.sort.startsWith('-')
  const column = walk.sort.replace('-', '') as 'created_at'
  const direction = isDescending ? 'desc' : 'asc'
  const matched = matching(ctx, list, walk)
  const columns = everyColumn(list.table)
  const rest = walk.after ? matched.where(beyond(column, isDescending, walk.after)) : matched
  const rows = rest
    .select(columns)
    .orderBy(column, direction)
    .orderBy('id', direction)
    // A literal, so that the planner knows the limit.
    .limit(sql.lit(count))
  const { wide } = list
  if (!wide || count <= defaultReading) return rows
  const by = sql.raw(direction)
  const order = sql`${sql.ref(column)} ${by}, id ${by}`
  return compilable(withinPage({ rows, columns, wide, order }))
}

/** The builder compiles raw SQL only with an executor. */
const compilable = (raw: RawBuilder<unknown>): Compilable => ({
  compile: () => raw.compile(builder),
})

const beyond = (column: string, isDescending: boolean, [value, id]: CursorState['last']) =>
  sql<boolean>`(${sql.ref(column)}, id) ${sql.raw(isDescending ? '<' : '>')} (${value}, ${id})`

async function countRows(
  ctx: Context,
  list: ListShape<TenantTable>,
  walk: PageWalk,
): Promise<number> {
  const query = matching(ctx, list, walk).select((eb) => eb.fn.countAll<number>().as('total'))
  const [row] = await ctx.reader.query<{ total: number }>(query.compile())
  return row?.total ?? 0
}
