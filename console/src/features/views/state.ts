import { one, parseSearch, type Search, stringifySearch } from '../../data/search.ts'
import type { Schema } from '../../flightdeck.ts'

export type View = Schema<'View'>
export type Viewed = Extract<View['resource'], 'campaigns' | 'pacing' | 'results' | 'deployments'>

/** The filters, order and columns in an address: without what is open for a moment, of any client. */
const stateOf = ({ open: _, peek: __, client_id: ___, view: ____, ...search }: Search): Search =>
  search

/** The state of a screen, as a view keeps it. */
export function viewOf(search: Search): Pick<View, 'query' | 'columns'> {
  const { columns, ...rest } = stateOf(search)
  const names = one(columns)?.split(',').filter(Boolean) ?? []
  return { query: stringifySearch(rest).slice(1), columns: names }
}

/** The state of a screen that a view opens: no dialog, and no other client. */
export function searchOf({ query, columns }: Pick<View, 'query' | 'columns'>): Search {
  const state = stateOf(parseSearch(query))
  return columns.length === 0 ? state : { ...state, columns: columns.join() }
}

const keyOf = (view: Pick<View, 'query' | 'columns'>): string => {
  const params = new URLSearchParams(stringifySearch(searchOf(view)))
  params.sort()
  return params.toString()
}

/** Whether both show the same, in whatever order their parts are written. */
export const isSame = (
  one: Pick<View, 'query' | 'columns'>,
  other: Pick<View, 'query' | 'columns'>,
): boolean => keyOf(one) === keyOf(other)
