import type { Statement } from '../database/driver/protocol.ts'

type Tenant = { readonly organization: { readonly id: string } }

/** A statement of one organization's rows: `$1` is the organization, the parameters begin at `$2`. */
export const tenantQuery = (
  { organization }: Tenant,
  sql: string,
  ...parameters: readonly unknown[]
): Statement => ({ sql, parameters: [organization.id, ...parameters] })

/**
 * Begins a statement that waits for no other transaction: `free` has the rows of these ids that none is
 * changing. Work in the background would lock them in another order than a change set, and each would wait
 * for the other; what it leaves out is due when the other has ended.
 */
export const withFree = (table: string, ids: string): string => `
  with free as materialized (
    select id from ${table} where organization_id = $1 and id = any(${ids})
    for no key update skip locked)`
