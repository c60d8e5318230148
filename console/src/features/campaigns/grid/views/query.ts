import { many, queryOf, type Search } from '../../../../data/search.ts'

/** The names in the address by which campaigns are filtered, bounds of metrics aside: those of the API. */
const filterNames: readonly string[] = [
  'q',
  'status',
  'delivery',
  'delivery_reason',
  'pacing_status',
  'target_status',
  'deployment_state',
  'objective',
  'client',
  'client_id',
  'profile_id',
  'label',
  'currency',
  'daily_budget_min',
  'daily_budget_max',
  'start_after',
  'start_before',
  'end_after',
  'end_before',
  'include_archived',
]

export type GridQuery = Readonly<Record<string, string | string[]>>

type SortedField = 'name' | 'created_at' | 'updated_at' | 'daily_budget_minor' | 'end_at'

const sortedFields: Readonly<Record<string, SortedField>> = {
  name: 'name',
  updated_at: 'updated_at',
  daily_budget: 'daily_budget_minor',
  end_at: 'end_at',
}

/** Whether pacing decides which rows there are, or their order. */
export const followsPacing = (query: GridQuery): boolean =>
  query.pacing_status !== undefined || sortsByRisk(query)

export const sortsByRisk = ({ sort }: GridQuery): boolean =>
  `${sort ?? ''}`.endsWith('money_at_risk')

/** The field by which the rows are in order; newest first unless they are sorted. */
export const sortedFieldOf = ({ sort }: GridQuery): SortedField =>
  sortedFields[`${sort ?? ''}`.replace('-', '')] ?? 'created_at'

/** The filters that the address has, bounds of metrics included. */
export const filtersIn = (search: Search): readonly string[] =>
  Object.keys(search).filter(
    (name) => search[name] && (filterNames.includes(name) || name.startsWith('metric.')),
  )

/** The query for the service. Bounds of amounts mean nothing without their currency. */
export function gridQuery(search: Search): GridQuery {
  const hasCurrency = many(search.currency).length === 1
  const names = filtersIn(search).filter((name) => hasCurrency || !/budget|cp|spend/.test(name))
  return queryOf(search, [...names, 'metric_window', 'sort'])
}

export const isFiltered = (search: Search): boolean => filtersIn(search).length > 0

/** Takes the filters off. */
export const withoutFilters = (search: Search): Search =>
  Object.fromEntries(filtersIn(search).map((name) => [name, undefined]))
