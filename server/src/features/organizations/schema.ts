import { Type } from 'typebox'
import {
  changesOf,
  choice,
  idOf,
  nameLike,
  readOnlyOf,
  text,
  time,
  timeZoneName,
  Version,
} from '../../schema/fields.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { plans } from '../../values/plans.ts'

const RequireIfMatch = Type.Boolean({
  description: 'Whether every change requires the current version (`If-Match`).',
})

const RequireSecondFactor = Type.Boolean({
  description:
    'Whether members without a second factor may do nothing but set one up. API keys are unaffected.',
})

const TimeZone = timeZoneName(
  'IANA name: where periods of results, and months of clients without a time zone, begin.',
)

export const Organization = Type.Object(
  {
    id: idOf(organizationIds, 'Organization identifier.'),
    name: text('Name of the organization.'),
    plan: choice(plans, { description: 'Changed by the operator of the service.' }),
    status: choice(['active', 'suspended'], {
      description: 'A suspended organization can be read but not changed.',
    }),
    require_if_match: RequireIfMatch,
    require_second_factor: RequireSecondFactor,
    time_zone: text(
      'IANA name; that of periods of results, and of clients without one. Default: UTC.',
    ),
    sandbox: Type.Boolean({
      description: 'Whether its clock can be moved and its content be reset.',
    }),
    mail: Type.Boolean({
      description:
        'Whether the service sends mail. Without, links are shown to the admin who asks for them.',
    }),
    version: Version,
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  },
  { title: 'Organization' },
)
export type Organization = Type.Static<typeof Organization>

const organizationFields = {
  name: nameLike('Acme'),
  require_if_match: RequireIfMatch,
  require_second_factor: RequireSecondFactor,
  time_zone: TimeZone,
}

export const organizationReadOnly = readOnlyOf(Organization, organizationFields)

export const OrganizationChanges = changesOf(
  organizationFields,
  organizationReadOnly,
  'OrganizationChanges',
)
export type OrganizationChanges = Type.Static<typeof OrganizationChanges>
