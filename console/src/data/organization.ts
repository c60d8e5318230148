import { queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck } from '../flightdeck.ts'
import { cache } from './cache.ts'

/** Events of the organization read it again; it has no key by its id, which its parts share. */
export const organizationQuery = queryOptions({
  queryKey: ['organization', 'own'],
  queryFn: async () => flightdeck.organization.get(),
})

/** Whether the clock of the organization can be moved; undefined until it is known. */
export const useIsSandbox = (): boolean | undefined => useQuery(organizationQuery).data?.sandbox

// Its events are those of the organization.
export const sandboxQuery = queryOptions({
  queryKey: ['organization', 'sandbox'],
  queryFn: async () => flightdeck.sandbox.get(),
  // The clock goes on.
  refetchInterval: 30_000,
})

/** The time of the organization; the clock of a sandbox may have been moved a moment ago. */
export async function organizationNow(): Promise<number> {
  const { sandbox } = await cache.fetchQuery(organizationQuery)
  if (!sandbox) return Date.now()
  const { now } = await cache.fetchQuery({ ...sandboxQuery, staleTime: 0 })
  return Date.parse(now)
}
