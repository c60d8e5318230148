import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

const filters = ['q', 'client_id', 'client', 'platform', 'status', 'label', 'sort']

export function profileList(search: Search) {
  const query = queryOf(search, filters)
  return listOptions(listKey('profiles', query), (cursor) =>
    flightdeck.profiles.list({ ...query, cursor, limit: 50 }),
  )
}

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('profiles', id),
    queryFn: async () => flightdeck.profiles.get(id),
  })
