import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

const filters = ['q', 'status', 'protocol', 'country', 'label', 'sort']

export function proxyList(search: Search) {
  const query = queryOf(search, filters)
  return listOptions(listKey('proxies', query), (cursor) =>
    flightdeck.proxies.list({ ...query, cursor, limit: 50 }),
  )
}

export const proxyQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('proxies', id),
    queryFn: async () => flightdeck.proxies.get(id),
  })

/** The profiles whose traffic is meant for a proxy. */
export const profilesOf = (id: string) =>
  listOptions(listKey('profiles', { proxy_id: id }), (cursor) =>
    flightdeck.profiles.list({ proxy_id: id, cursor, limit: 50 }),
  )

/** Records of a proxy: its changes, its checks, and who saw its credentials. */
export const recordsOf = (id: string) =>
  listOptions(partKey('proxies', id, 'records'), (cursor) =>
    flightdeck.auditLogs.list({ resource_id: id, cursor, limit: 25 }),
  )
