import { sql } from 'kysely'
import { anyOf, type Filter } from '../../query/filters.ts'

/** By the client of the profile. */
export const clientFilter: Filter = {
  ...anyOf('client', { description: 'The client of the profile.' }),
  read: (clients) => ({
    condition: sql<boolean>`(organization_id, profile_id) in (
      select organization_id, id from profiles where client = any(${clients}))`,
  }),
}
