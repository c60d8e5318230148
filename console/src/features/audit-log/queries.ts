import { queryOptions } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

export const auditFilters = [
  'q',
  'action',
  'outcome',
  'resource_type',
  'actor_id',
  'resource_id',
  'request_id',
  'occurred_after',
  'occurred_before',
]

export function auditList(search: Search) {
  const query = queryOf(search, [...auditFilters, 'sort'])
  return listOptions(listKey('audit_logs', query), (cursor) =>
    flightdeck.auditLogs.list({ ...query, cursor, limit: 50 }),
  )
}

/** One record: the list is asked for it by its id. */
export const auditRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit_logs', 'object', id],
    queryFn: async () => (await flightdeck.auditLogs.list({ id: [id] })).data[0] ?? null,
  })
