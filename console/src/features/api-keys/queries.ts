import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

const apiKeyFilters = ['q', 'role', 'status']

export function apiKeyList(search: Search) {
  const query = queryOf(search, [...apiKeyFilters, 'sort'])
  return listOptions(listKey('api_keys', query), (cursor) =>
    flightdeck.apiKeys.list({ ...query, cursor, limit: 50 }),
  )
}

export const apiKeyQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('api_keys', id),
    queryFn: async () => flightdeck.apiKeys.get(id),
  })

/** Reads what an agent's key did, and whether it is stopped. */
export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: partKey('api_keys', id, 'agent'),
    queryFn: async () => flightdeck.apiKeys.getAgent(id),
  })
