import type { Item } from '@flightdeckhq/sdk'
import { queryOptions } from '@tanstack/react-query'
import { objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

export type Event = Item<'listEvents'>

export const eventFilters = ['type', 'occurred_after', 'occurred_before']

/** A key of its own: new events come by the stream, and is not read again. */
export function eventList(search: Search) {
  const query = queryOf(search, eventFilters)
  return {
    ...listOptions(['event feed', query], (cursor) =>
      flightdeck.events.list({ ...query, cursor, limit: 50 }),
    ),
    staleTime: 0,
  }
}

/** Events never change. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('events', id),
    queryFn: async () => flightdeck.events.get(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
