import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { type Client, flightdeck } from '../../flightdeck.ts'

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

export const campaignsOf = ({ id }: Client) =>
  listOptions(listKey('campaigns', { client_id: id }), (cursor) =>
    flightdeck.campaigns.list({ client_id: id, cursor, limit: 50 }),
  )
