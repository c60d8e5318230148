import { queryOptions } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { one, queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type ResultGroup = Schema<'ResultGroup'>

export const groupings = [
  'campaign',
  'profile',
  'client',
  'platform',
  'label',
  'currency',
  'day',
  'source',
] as const
export type Grouping = (typeof groupings)[number]

export const groupingIn = (search: Search): Grouping =>
  groupings.find((each) => each === one(search.group_by)) ?? 'campaign'

const filters = ['from', 'to', 'currency', 'source']

/** Sums of each group and currency; groups have no id of their own. */
export function resultList(search: Search) {
  const query = queryOf(search, filters)
  const group_by = groupingIn(search)
  return listOptions(listKey('results', { ...query, group_by }), async (cursor) => {
    const page = await flightdeck.results.list({ ...query, group_by, cursor, limit: 50 })
    const data = page.data.map((row) => ({ ...row, id: `${row.group} ${row.currency}` }))
    return { ...page, data }
  })
}

export const sourcesQuery = queryOptions({
  queryKey: listKey('results', { sources: true }),
  queryFn: async () => flightdeck.results.listSources({ limit: 100 }).toArray({ limit: 100 }),
})
