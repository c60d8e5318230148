import { Type } from 'typebox'
import { changesOf, choice, idOf, Name, readOnlyOf, Time, Version } from '../../schema/fields.ts'
import { plans } from '../../values/plans.ts'

const RequireIfMatch = Type.Boolean({
  description: 'Whether every change requires the current version (`If-Match`).',
})

export const Organization = Type.Object(
  {
    id: idOf('organization'),
    name: Type.String(),
    plan: choice(plans, { description: 'Changed by the operator of the service.' }),
    status: choice(['active', 'suspended'], {
      description: 'A suspended organization can be read but not changed.',
    }),
    require_if_match: RequireIfMatch,
    sandbox: Type.Boolean({
      description: 'Whether its clock can be moved and its content be reset.',
    }),
    version: Version,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Organization' },
)
export type Organization = Type.Static<typeof Organization>

const organizationFields = { name: Name, require_if_match: RequireIfMatch }

export const organizationReadOnly = readOnlyOf(Organization, organizationFields)

export const OrganizationChanges = changesOf(
  organizationFields,
  organizationReadOnly,
  'OrganizationChanges',
)
export type OrganizationChanges = Type.Static<typeof OrganizationChanges>

const Cap = Type.Object({
  limit: Type.Integer({ description: 'Maximum number for the organization.' }),
  used: Type.Integer({ description: 'Current number. Archived campaigns do not count.' }),
})

const Bytes = Type.Integer({ minimum: 0 })

export const storedKinds = {
  campaigns: Bytes,
  profiles: Bytes,
  proxies: Bytes,
  templates: Bytes,
  webhook_endpoints: Bytes,
  audit_logs: Bytes,
  events: Bytes,
}
export type StoredKind = keyof typeof storedKinds

const Storage = Type.Object(
  {
    bytes: Type.Integer({ minimum: 0, description: 'Total of all kinds.' }),
    by_kind: Type.Object(storedKinds),
    measured_at: Time,
  },
  {
    description:
      'Database space of the organization’s objects, audit records and events, compressed as stored and without indexes. For kinds with more than 1,000 rows it is an estimate: the row count times the average size of the newest 1,000 rows. Measured at most once a minute. Short-lived data is not counted: deliveries and their attempts, sessions, idempotency keys.',
  },
)

export const Limits = Type.Object(
  {
    plan: choice(plans),
    requests: Type.Object({
      limit: Type.Integer({ description: 'Requests per window, by plan.' }),
      remaining: Type.Integer({ description: 'Requests left in this window.' }),
      window_seconds: Type.Integer(),
      reset_seconds: Type.Integer({ description: 'Seconds until the window ends.' }),
    }),
    caps: Type.Object({
      campaigns: Cap,
      profiles: Cap,
      proxies: Cap,
      templates: Cap,
      webhook_endpoints: Cap,
      members: Cap,
      api_keys: Cap,
    }),
    storage: Storage,
  },
  { title: 'Limits' },
)
export type Limits = Type.Static<typeof Limits>
