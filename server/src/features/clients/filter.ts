import { sql } from 'kysely'
import { anyOf, type Filter } from '../../query/filters.ts'
import { nameKey } from '../../values/name-key.ts'

/** For rows that have the client of their profile: its id, and its name as names are compared. */
export const clientFilters = {
  client_id: anyOf('client_id'),
  client: {
    ...anyOf('client', { description: 'Names of clients, regardless of case.' }),
    read: (names) => ({ condition: sql<boolean>`client_folded = any(${names.map(nameKey)})` }),
  },
} satisfies Record<string, Filter>
