import { Type } from 'typebox'
import { roles } from '../../identity/permissions.ts'
import {
  bodyOf,
  choice,
  idOf,
  Name,
  NewPassword,
  orNull,
  pageOfSchema,
  Time,
} from '../../schema/fields.ts'

const Secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description })

export const LoginBody = bodyOf({
  email: Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] }),
  password: Secret('The user’s password.'),
})

const UserSummary = Type.Object({
  id: idOf('user'),
  email: Type.String(),
  name: Name,
  role: choice(roles),
})

const OrganizationSummary = Type.Object({
  id: idOf('organization'),
  name: Type.String(),
  plan: Type.String(),
})

export const Login = Type.Object(
  {
    token: Type.String({ description: 'JWT: send it as `Authorization: Bearer <token>`.' }),
    expires_at: Time,
    token_type: Type.Literal('Bearer'),
    session_id: idOf('session'),
    user: UserSummary,
    organization: OrganizationSummary,
  },
  { title: 'Login' },
)

export const Refreshed = Type.Object(
  { ...Login.properties, token: orNull(Type.String({ description: 'Null when replayed.' })) },
  { title: 'Refreshed' },
)

export const Me = Type.Object(
  { session_id: idOf('session'), user: UserSummary, organization: OrganizationSummary },
  { title: 'Me' },
)

export const Session = Type.Object(
  {
    id: idOf('session'),
    current: Type.Boolean({ description: 'True for the session of this request.' }),
    ip: orNull(Type.String()),
    user_agent: orNull(Type.String()),
    created_at: Time,
    last_refreshed_at: orNull(Time),
    expires_at: Time,
  },
  { title: 'Session' },
)

export const SessionList = pageOfSchema(Session)

export const PasswordBody = bodyOf({
  current_password: Secret('The current password.'),
  new_password: NewPassword,
})
