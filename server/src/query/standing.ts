import { sql } from 'kysely'
import type { Condition, Filter } from './filters.ts'
import type { Received } from './parameters.ts'

/** For lists that leave archived rows out unless `status` or `include_archived` asks for them. */
export const withoutArchived = {
  filterOf: (plural: string): Filter => ({
    schema: { type: 'boolean', default: false, description: `Include archived ${plural}.` },
    read: () => ({ condition: sql<boolean>`true` }),
  }),
  standing: ({ status, include_archived }: Received): Condition | undefined =>
    status === undefined && include_archived !== 'true'
      ? sql<boolean>`status <> 'archived'`
      : undefined,
}
