import { queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck } from '../flightdeck.ts'

/** Events of the organization read it again; it has no key by its id, which its parts share. */
export const organizationQuery = queryOptions({
  queryKey: ['organization', 'own'],
  queryFn: async () => flightdeck.organization.get(),
})

/** Whether the clock of the organization can be moved; undefined until it is known. */
export const useIsSandbox = (): boolean | undefined => useQuery(organizationQuery).data?.sandbox
