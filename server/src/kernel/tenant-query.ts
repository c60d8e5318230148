import type { Statement } from '../database/driver/protocol.ts'

type Tenant = { readonly organization: { readonly id: string } }

/** A statement of one organization's rows: `$1` is the organization, the parameters begin at `$2`. */
export const tenantQuery = (
  { organization }: Tenant,
  sql: string,
  ...parameters: readonly unknown[]
): Statement => ({ sql, parameters: [organization.id, ...parameters] })
