import { Type } from 'typebox'
import type { CursorState } from '../crypto/cursors.ts'
import { type Scope, scopeText } from '../database/scope/scope.ts'
import type { TenantTable } from '../database/tables/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import type { Fault } from '../problems/fault.ts'
import { Problem } from '../problems/problem.ts'
import { sha256Hex } from '../values/canonical-json.ts'
import {
  type Condition,
  type FilterRead,
  type IndexCondition,
  readFilter,
  type Words,
} from './filters.ts'
import type { ListShape, Query } from './list.ts'
import { badParameters, type Received, ruledBy } from './parameters.ts'
import { defaultSort, type Order, orderOf } from './sorting.ts'

/** The position to continue from. */
export const cursorParameter = (resource: string) =>
  ruledBy(
    Type.String({ maxLength: 4096, description: '`meta.next_cursor` of the previous page.' }),
    {
      check: (name, received, ctx) =>
        cursorOf(ctx, resource, String(received[name])) ? undefined : mismatchedCursor(),
    },
  )

/** A walk through a list, and how far it has come. */
export type Walk = {
  sort: string
  order: Order
  filters: Received
  conditions: Condition[]
  /** Conditions that hold for the same rows, and have an index. */
  byIndex: readonly IndexCondition[]
  /** Conditions that hold for the same rows of a sample. */
  inSample: readonly Condition[]
  after: CursorState['last'] | undefined
  /** Words in place of those that it was asked for, of which it found none. */
  nearest: Words | undefined
}

/** The conditions of the walk that have an index. */
export const indexedBy = async ({ byIndex }: Walk): Promise<Condition[]> =>
  (await Promise.all(byIndex.map((condition) => condition()))).flatMap((found) => found ?? [])

/** The walk that a query begins or continues. */
export function walkOf(ctx: Context, list: ListShape<TenantTable>, query: Query): Walk {
  const continued = continuedBy(ctx, list, query)
  const filters = filtersOf(ctx, list, query)
  const sort = query.sort ?? continued?.sort ?? list.sortFor?.(filters) ?? defaultSort(list.sorts)
  if (continued && !isSameWalk(continued, sort, filters)) {
    throw invalidCursor('The cursor belongs to a list with other filters or another sort order.')
  }
  const { q, ...unsearched } = filters
  const others = list.filters.q?.search === undefined ? filters : unsearched
  const read = readAll(list, others)
  return {
    sort,
    order: orderOf(list.sorts, sort),
    filters,
    conditions: conditionsOf(list, others),
    byIndex: read.flatMap(({ byIndex }) =>
      byIndex ? [async () => byIndex(ctx.organization.id)] : [],
    ),
    inSample: read.flatMap(({ inSample }) => inSample ?? []),
    after: continued?.last,
    nearest: continued?.nearest,
  }
}

const continuedBy = (ctx: Context, list: ListShape<TenantTable>, { cursor }: Query) =>
  cursor === undefined ? undefined : readCursor(ctx, list, cursor)

/** The filters of a query, or else of its cursor. */
export function filtersOf(ctx: Context, list: ListShape<TenantTable>, query: Query): Received {
  const request = requestedFilters(list, query)
  if (Object.keys(request).length > 0) return request
  return continuedBy(ctx, list, query)?.filters ?? request
}

const requestedFilters = (list: ListShape<TenantTable>, query: Query): Received =>
  Object.fromEntries(
    Object.keys(query)
      .filter((name) => Object.hasOwn(list.filters, name))
      .sort()
      .flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  )

const isSameWalk = (cursor: CursorState, sort: string, filters: Received) =>
  cursor.sort === sort && JSON.stringify(cursor.filters) === JSON.stringify(filters)

function readCursor(ctx: Context, list: ListShape<TenantTable>, text: string): CursorState {
  const state = cursorOf(ctx, list.resource ?? list.table, text)
  if (!state) throw mismatchedCursor()
  return state
}

function cursorOf(ctx: Context, resource: string, text: string): CursorState | undefined {
  const state = ctx.services.crypto.cursors.read(text)
  const isOwn =
    state?.organization === ctx.organization.id &&
    state.resource === resource &&
    state.scope === (ctx.scope ? scopeDigest(ctx.scope) : undefined)
  return isOwn ? state : undefined
}

/** Binds cursors to a scope: they end with it. */
export const scopeDigest = (scope: Scope): string => sha256Hex(scopeText(scope)).slice(0, 16)

const mismatchedCursor = () => invalidCursor('The cursor is damaged or belongs to another list.')

const invalidCursor = (detail: string) =>
  new Problem('invalid_cursor', detail, {
    faults: [{ parameter: 'cursor', code: 'invalid_format', message: 'cannot be used here' }],
  })

/** The conditions of all filters; throws 400 with every fault. */
export function conditionsOf(list: ListShape<TenantTable>, filters: Received): Condition[] {
  const conditions = readAll(list, filters).map(({ condition }) => condition)
  const standing = list.standing?.(filters)
  return [...conditions, ...(standing ? [standing] : []), ...(list.only ? [list.only] : [])]
}

type Selected = Extract<FilterRead, { condition: Condition }>

function readAll(list: ListShape<TenantTable>, filters: Received): Selected[] {
  const faults: Fault[] = []
  const selected: Selected[] = []
  for (const name of Object.keys(filters)) {
    const filter = list.filters[name]
    const read = filter && readFilter(filter, name, filters)
    if (read && 'fault' in read) faults.push(read.fault)
    if (read && 'condition' in read) selected.push(read)
  }
  if (faults.length > 0) throw badParameters(faults)
  return selected
}
