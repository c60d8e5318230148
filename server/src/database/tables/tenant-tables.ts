import type { Selectable } from 'kysely'
import type { Tables } from './types.ts'

/** Tables whose rows belong to an organization: those with `organization_id` and `id`. */
export type TenantTable = {
  [Name in keyof Tables]: 'organization_id' extends keyof Tables[Name]
    ? 'id' extends keyof Tables[Name]
      ? Name
      : never
    : never
}[keyof Tables]

/** All tables with rows of organizations, those without an id of their own too. */
export type OrganizationTable = {
  [Name in keyof Tables]: 'organization_id' extends keyof Tables[Name] ? Name : never
}[keyof Tables]

export type Row<Table extends TenantTable> = Selectable<Tables[Table]>
