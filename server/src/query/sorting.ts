import { type RawBuilder, sql } from 'kysely'
import type { CursorState } from '../crypto/cursors.ts'

/** An order of a list: by the column of this name, or by a key that SQL computes. */
export type Sort =
  | string
  | { name: string; key: RawBuilder<unknown>; hasNulls?: true; join?: SortJoin }

/** The table of a key; a row without a match there has no key. */
type SortJoin = { table: RawBuilder<unknown>; on: RawBuilder<boolean> }

export const nameOf = (sort: Sort): string => (typeof sort === 'string' ? sort : sort.name)

/** The `sort` of a list that is asked for none. */
export const defaultSort = ([first = '']: readonly Sort[]): string => `-${nameOf(first)}`

/** Regardless of case. */
export const byName: Sort = { name: 'name', key: sql.ref('name_folded') }

/** One order in one direction; rows without a key come last in both. */
export type Order = {
  key: RawBuilder<unknown>
  /** The column of a selected row that has the key. */
  column: string
  isComputed: boolean
  hasNulls: boolean
  join?: SortJoin | undefined
  direction: 'asc' | 'desc'
}

const computedColumn = 'sort_key'

/** The order that a `sort` parameter means. */
export function orderOf(sorts: readonly Sort[], parameter: string): Order {
  const name = parameter.replace('-', '')
  const direction = parameter.startsWith('-') ? 'desc' : 'asc'
  const sort = sorts.find((each) => nameOf(each) === name) ?? name
  if (typeof sort === 'string') {
    return { key: sql.ref(sort), column: sort, isComputed: false, hasNulls: false, direction }
  }
  const { key, hasNulls = false, join } = sort
  return { key, column: computedColumn, isComputed: true, hasNulls, join, direction }
}

/** The columns that a page selects for its order, beside its own. */
export const keyColumnsOf = ({ key, isComputed }: Order) =>
  isComputed ? [key.as(computedColumn)] : []

/** As an `order by`; pass the column where the key is selected already. */
export const orderText = (
  { direction, hasNulls }: Order,
  key: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`${key} ${sql.raw(hasNulls ? `${direction} nulls last` : direction)}, id ${sql.raw(direction)}`

/** The rows after a position. */
export function beyond(
  { key, hasNulls, direction }: Order,
  [value, id]: CursorState['last'],
): RawBuilder<boolean> {
  const after = sql.raw(direction === 'desc' ? '<' : '>')
  if (!hasNulls) return sql<boolean>`(${key}, id) ${after} (${value}, ${id})`
  if (value === null) return sql<boolean>`(${key} is null and id ${after} ${id})`
  return sql<boolean>`((${key}, id) ${after} (${value}, ${id}) or ${key} is null)`
}
