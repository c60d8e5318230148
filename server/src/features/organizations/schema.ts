import { Type } from 'typebox'
import { changesOf, choice, idOf, Name, readOnlyOf, Time, Version } from '../../schema/fields.ts'
import { plans } from '../../values/plans.ts'

const RequireIfMatch = Type.Boolean({
  description: 'Whether every change must name the version it starts from (`If-Match`).',
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
      description: 'Whether its clock can be moved, and everything in it be thrown away.',
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
  limit: Type.Integer({ description: 'How many the organization may have.' }),
  used: Type.Integer({ description: 'How many it has. Archived campaigns do not count.' }),
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
    bytes: Type.Integer({ minimum: 0, description: 'Of all kinds together.' }),
    by_kind: Type.Object(storedKinds),
    measured_at: Time,
  },
  {
    description:
      'What the organization’s objects, audit records and events take in the database, compressed as they are there, without indexes. Of a kind with more than 1,000 rows it is their number times the average of the newest 1,000. Measured at most once a minute. Not counted is what goes by itself within days or weeks: deliveries and their attempts, sessions, idempotency keys.',
  },
)

export const Limits = Type.Object(
  {
    plan: choice(plans),
    requests: Type.Object({
      limit: Type.Integer({ description: 'Requests in a window, by plan.' }),
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
