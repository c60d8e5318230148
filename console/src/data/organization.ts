import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { flightdeck } from '../flightdeck.ts'
import { cache } from './cache.ts'
import { setAhead } from './clock.ts'

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

/** Keeps ages and what comes next to the clock of the organization. */
export function useOrganizationClock(): void {
  const enabled = useIsSandbox() === true
  const { data } = useQuery({ ...sandboxQuery, enabled })
  const aheadMs = (enabled && data?.ahead_ms) || 0
  useLayoutEffect(() => setAhead(aheadMs), [aheadMs])
}

/** The time of the organization; the clock of a sandbox may have been moved a moment ago. */
export async function organizationNow(): Promise<number> {
  const { sandbox } = await cache.fetchQuery(organizationQuery)
  if (!sandbox) return Date.now()
  const { now } = await cache.fetchQuery({ ...sandboxQuery, staleTime: 0 })
  return Date.parse(now)
}
