import { Type } from 'typebox'
import { roles } from '../../identity/permissions.ts'
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
} from '../../schema/fields.ts'
import { maxEmailLength } from '../../values/email.ts'

const member = {
  id: idOf('user'),
  email: Type.String({ examples: ['grace@example.com'] }),
  name: Name,
  role: choice(roles),
  disabled: Type.Boolean({
    description: 'A disabled user cannot log in and has no sessions.',
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
          'The generated password, if the request had none. Shown in this response only: null when the request is replayed.',
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
      maxLength: maxEmailLength,
      trim: true,
      format: 'email',
      description: 'Unique across the whole service; stored in lower case.',
      examples: ['grace@example.com'],
    }),
    name: Name,
    role: choice(roles),
    password: Type.Optional(
      orNull(
        Type.String({
          ...NewPassword,
          description: '12–256 characters, not among the most common ones. Omitted: generated.',
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
