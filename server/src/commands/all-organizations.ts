import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { columnsOf, type Tables } from '../database/tables/types.ts'

type OrganizationRow = Selectable<Tables['organizations']>

/** All organizations, the oldest first. */
export const allOrganizations = ({
  reader,
}: Pick<Database, 'reader'>): Promise<OrganizationRow[]> =>
  reader
    .kysely()
    .selectFrom('organizations')
    .select(columnsOf.organizations)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
