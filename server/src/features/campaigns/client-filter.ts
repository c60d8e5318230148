import { sql } from 'kysely'
import type { Filter } from '../../query/filters.ts'
import { clientFilters } from '../clients/filter.ts'

/** By what the profile has. */
const ofProfile = (filter: Filter): Filter => ({
  ...filter,
  read(values, name, received) {
    const read = filter.read(values, name, received)
    if ('fault' in read) return read
    return {
      condition: sql<boolean>`(organization_id, profile_id) in (
        select organization_id, id from profile_details where ${read.condition})`,
    }
  },
})

/** Campaigns by the client of their profile. */
export const filtersByClient = {
  client_id: ofProfile(clientFilters.client_id),
  client: ofProfile(clientFilters.client),
} satisfies Record<string, Filter>
