import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { one, queryOf, type Search } from '../../data/search.ts'
import { isMonth } from '../../data/values/months.ts'
import { type Client, flightdeck } from '../../flightdeck.ts'
import { rowOf } from './month/columns.tsx'

/** Filters of the list, and of its file. */
export const clientFilters = ['q', 'status', 'label']

export function clientList(search: Search) {
  const query = queryOf({ sort: 'name', ...search }, [...clientFilters, 'sort'])
  return listOptions(listKey('clients', query), (cursor) =>
    flightdeck.clients.list({ ...query, cursor, limit: 50 }),
  )
}

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('clients', id),
    queryFn: async () => flightdeck.clients.get(id),
  })

export const profilesOf = ({ id }: Client) =>
  listOptions(listKey('profiles', { client_id: id }), (cursor) =>
    flightdeck.profiles.list({ client_id: id, cursor, limit: 50 }),
  )

export function clientPacingList(search: Search) {
  const { month, currency, ...others } = queryOf(search, [
    'client_id',
    'status',
    'currency',
    'month',
  ])
  const given = one(month)
  const code = one(currency)?.toUpperCase()
  const query = {
    ...others,
    // Half of a word is typed as a filter, too.
    ...(isMonth(given) && { month: given }),
    ...(code?.length === 3 && { currency: code }),
    sort:
      one(search.sort) === 'money_at_risk'
        ? ('money_at_risk' as const)
        : ('-money_at_risk' as const),
  }
  return listOptions(listKey('client_pacing', query), async (cursor) => {
    const page = await flightdeck.pacing.listClient({ ...query, cursor, limit: 50 })
    return { ...page, data: page.data.map(rowOf) }
  })
}
