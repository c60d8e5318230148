import { queryOptions } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { flightdeck } from '../../flightdeck.ts'
import type { Viewed } from './state.ts'

/** As many as there can be for one person. */
const most = 300

/** The views of a list, one's own and shared ones, by name. */
export const viewsQuery = (resource: Viewed) =>
  queryOptions({
    queryKey: listKey('views', { resource }),
    queryFn: async () => {
      const query = { resource: [resource], sort: 'name' as const, limit: 100 }
      return flightdeck.views.list(query).toArray({ limit: most })
    },
  })
