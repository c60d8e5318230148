import { hasKey } from '../../../values/objects.ts'
import type { OrganizationTable } from '../../tables/tenant-tables.ts'
import { columnsOf, type Tables } from '../../tables/types.ts'

/** How Citus stores a table: by a column on the workers, whole on every node, or on the coordinator. */
export type Placement = { readonly by: string } | 'reference' | 'local'

type Elsewhere =
  | Exclude<keyof Tables, OrganizationTable>
  | 'migrations'
  | 'user_emails'
  | 'login_codes'
  | 'proved_domains'
  | 'passkey_owners'

/** Tables that are not stored by `organization_id`. A new one does not compile until it stands here. */
const elsewhere: Readonly<Record<Elsewhere, Placement>> = {
  // The tenants themselves.
  organizations: { by: 'id' },
  // A login knows the address alone.
  user_emails: { by: 'email' },
  // A login by a passkey names nothing else.
  passkey_owners: { by: 'credential_id' },
  // A person types the code alone.
  login_codes: { by: 'code_hash' },
  // Few rows, which rows of organizations refer to or every request needs.
  installation: 'reference',
  master_keys: 'reference',
  proved_domains: 'reference',
  signing_keys: 'reference',
  // About processes and the schema, never about one organization.
  leases: 'local',
  migrations: 'local',
  processes: 'local',
  rate_limits: 'local',
  task_successes: 'local',
  write_probes: 'local',
}

/** Foreign keys that Citus does not have, as they would cross shards: from a table, to another. */
export const keysAcrossShards: readonly { of: keyof Tables; to: keyof Tables }[] = [
  { of: 'user_emails', to: 'users' },
]

/** The placement of a table of the schema; null for one that the schema does not have. */
export function placementOf(table: string): Placement | null {
  if (hasKey(elsewhere, table)) return elsewhere[table]
  return hasKey(columnsOf, table) ? { by: 'organization_id' } : null
}
