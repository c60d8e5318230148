import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { one, queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

const memberFilters = ['q', 'role', 'disabled']

export function memberList(search: Search) {
  const { q, ...rest } = queryOf(search, [...memberFilters, 'sort'])
  const typed = one(q) ?? ''
  // The service looks for names by their parts, and for addresses as they are.
  const found = typed.includes('@') ? { email: typed } : typed && { q: typed }
  const query = { ...rest, ...found }
  return listOptions(listKey('members', query), (cursor) =>
    flightdeck.members.list({ ...query, cursor, limit: 50 }),
  )
}

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('members', id),
    queryFn: async () => flightdeck.members.get(id),
  })
