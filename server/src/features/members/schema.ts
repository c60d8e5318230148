import { Type } from 'typebox'
import { roles } from '../../identity/permissions.ts'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  NewPassword,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  shownOnce,
  text,
  time,
  Version,
} from '../../schema/fields.ts'
import { ScopeOrNull } from '../../schema/scope.ts'
import { maxEmailLength } from '../../values/email.ts'
import { userIds } from './resource.ts'

const Role = choice(roles, { title: 'Role', description: 'What the user may do.' })

const Name = nameLike('Grace Hopper')

const member = {
  id: idOf(userIds, 'User identifier.'),
  email: text('The user’s email.'),
  name: text('The user’s name.'),
  role: Role,
  disabled: Type.Boolean({
    description: 'A disabled user cannot log in and has no sessions.',
  }),
  scope: ScopeOrNull,
  second_factor: Type.Boolean({
    description: 'Whether logins need a second factor; people set up their own.',
  }),
  from_directory: Type.Boolean({
    description: 'Whether a directory (SCIM) keeps the member up to date.',
  }),
  last_login_at: orNull(time('When the user last logged in; null: never.')),
  version: Version,
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
}

export const Member = Type.Object(member, {
  title: 'Member',
  description: 'A user of the organization.',
})
export type Member = Type.Static<typeof Member>

export const MemberList = pageOfSchema(Member)

export const NewMember = Type.Object(
  {
    ...member,
    temporary_password: shownOnce('The generated password, if the request had none.'),
  },
  { title: 'NewMember', basedOn: Member },
)
export type NewMember = Type.Static<typeof NewMember>

const memberFields = { name: Name, role: Role, disabled: member.disabled, scope: ScopeOrNull }

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
    role: Role,
    scope: Type.Optional(ScopeOrNull),
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
