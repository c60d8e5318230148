import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables/types.ts'
import type { Services } from '../../kernel/context.ts'
import type { Organization } from './schema.ts'

type Configured = { readonly config: Pick<Services['config'], 'mail'> }

export type OrganizationRow = Selectable<Tables['organizations']>

export const toOrganization = ({ config }: Configured, row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  status: row.status,
  require_if_match: row.require_if_match,
  require_second_factor: row.require_second_factor,
  time_zone: row.time_zone,
  sandbox: row.sandbox,
  mail: config.mail !== null,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
