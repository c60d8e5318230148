import { Type } from 'typebox'
import { longestEmail } from '../../kernel/emails.ts'
import { roles } from '../../kernel/permissions.ts'
import { plans } from '../../kernel/plans.ts'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  Name,
  NewPassword,
  orNull,
  pageOfSchema,
  readOnlyOf,
  Time,
  Version,
} from '../../kernel/shapes.ts'

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

const member = {
  id: idOf('user'),
  email: Type.String({ examples: ['grace@example.com'] }),
  name: Name,
  role: choice(roles),
  disabled: Type.Boolean({
    description: 'A disabled user cannot log in; its sessions have ended.',
  }),
  last_login_at: orNull(Time),
  version: Version,
  created_at: Time,
  updated_at: Time,
}

export const Member = Type.Object(member, { title: 'Member' })
export type Member = Type.Static<typeof Member>

export const MemberList = pageOfSchema(Member)

export const NewMember = Type.Object(
  {
    ...member,
    temporary_password: orNull(
      Type.String({
        description:
          'The password that was made because the request had none. Shown in this answer only: null when the request is replayed.',
      }),
    ),
  },
  { title: 'NewMember' },
)
export type NewMember = Type.Static<typeof NewMember>

const memberFields = { name: Name, role: choice(roles), disabled: member.disabled }

export const memberReadOnly = readOnlyOf(Member, memberFields)

export const MemberBody = bodyOf(
  {
    email: Type.String({
      minLength: 1,
      maxLength: longestEmail,
      trim: true,
      format: 'email',
      description: 'Unique in the whole service; stored in lower case.',
      examples: ['grace@example.com'],
    }),
    name: Name,
    role: choice(roles),
    password: Type.Optional(
      orNull(
        Type.String({
          ...NewPassword,
          description: '12–256 characters, not among the most common ones. Left out: made.',
        }),
      ),
    ),
  },
  {
    title: 'MemberInput',
    readOnlyFields: memberReadOnly.filter((field) => field !== 'email').concat('disabled'),
  },
)
export type MemberInput = Type.Static<typeof MemberBody>

export const MemberChanges = changesOf(memberFields, memberReadOnly, 'MemberChanges')
export type MemberChanges = Type.Static<typeof MemberChanges>

const Cap = Type.Object({
  limit: Type.Integer({ description: 'How many the organization may have.' }),
  used: Type.Integer({ description: 'How many it has. Archived campaigns do not count.' }),
})

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
    }),
  },
  { title: 'Limits' },
)
export type Limits = Type.Static<typeof Limits>
