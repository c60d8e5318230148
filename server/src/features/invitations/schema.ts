import { Type } from 'typebox'
import { roles } from '../../identity/permissions.ts'
import {
  bodyOf,
  choice,
  idOf,
  NewPassword,
  nameLike,
  orNull,
  pageOfSchema,
  shownOnce,
  stamps,
  text,
  time,
} from '../../schema/fields.ts'
import { ScopeOrNull } from '../../schema/scope.ts'
import { MemberBody } from '../members/schema.ts'
import { invitationIds } from './resource.ts'

const { email, role } = MemberBody.properties
const Name = nameLike('Grace Hopper', 'The name that is proposed to the person, who may change it.')

const invitation = {
  id: idOf(invitationIds, 'Invitation identifier.'),
  email: text('The address that is invited.'),
  name: orNull(text('The proposed name.')),
  role: choice(roles, { description: 'The role that the person will have.' }),
  scope: ScopeOrNull,
  status: choice(['open', 'expired'], { description: 'An expired one can be sent again.' }),
  expires_at: time('Until when the link works.'),
  ...stamps,
}

export const Invitation = Type.Object(invitation, {
  title: 'Invitation',
  description: 'A person who is asked to join.',
})
export type Invitation = Type.Static<typeof Invitation>

export const InvitationList = pageOfSchema(Invitation)

export const SentInvitation = Type.Object(
  {
    ...invitation,
    url: shownOnce('The link, where the service sends no mail: give it to the person.'),
  },
  { title: 'SentInvitation', basedOn: Invitation },
)
export type SentInvitation = Type.Static<typeof SentInvitation>

export const InvitationBody = bodyOf(
  {
    email,
    role,
    name: Type.Optional(orNull(Name)),
    scope: Type.Optional(ScopeOrNull),
  },
  { title: 'InvitationInput' },
)
export type InvitationInput = Type.Static<typeof InvitationBody>

const LinkSecret = Type.String({
  minLength: 1,
  maxLength: 64,
  writeOnly: true,
  description: 'What follows `#` in the link.',
})

export const AcceptBody = bodyOf(
  { secret: LinkSecret, name: nameLike('Grace Hopper'), password: NewPassword },
  { title: 'AcceptInvitationInput' },
)
export type Acceptance = Type.Static<typeof AcceptBody>
