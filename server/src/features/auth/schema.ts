import { Type } from 'typebox'
import { keyRoles, roles } from '../../identity/permissions.ts'
import {
  bodyOf,
  choice,
  idOf,
  NewPassword,
  orNull,
  pageOfSchema,
  shownOnce,
  text,
  time,
} from '../../schema/fields.ts'
import { ScopeOrNull } from '../../schema/scope.ts'
import { apiKeyIds, organizationIds } from '../../values/core-ids.ts'
import { userIds } from '../members/resource.ts'
import { PasskeyOut } from './factors/passkeys/schema.ts'
import { Otp } from './factors/schema.ts'
import { sessionIds } from './resource.ts'

const Secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description })

const email = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'The user’s email.',
  examples: ['ada@example.com'],
})

export const LoginBody = bodyOf({
  email,
  password: Secret('The user’s password.'),
  otp: Type.Optional(Otp),
})

const challenge = Secret('The `challenge` of the 401 that the first step was answered by.')

const answers = {
  otp: Type.Optional(Otp),
  recovery_code: Type.Optional(
    Type.String({ minLength: 6, maxLength: 40, writeOnly: true, description: 'A recovery code.' }),
  ),
  passkey: Type.Optional(PasskeyOut),
}

export const VerifyLoginBody = bodyOf({ challenge, ...answers })

/** Without a challenge, a passkey logs in alone. */
export const VerifySessionBody = bodyOf({ challenge: Type.Optional(challenge), ...answers })

export const PasskeyOptionsBody = bodyOf({ challenge: Type.Optional(challenge) })

export const PasskeyLoginBody = bodyOf({ passkey: PasskeyOut })

const UserSummary = Type.Object(
  {
    id: idOf(userIds, 'User identifier.'),
    email: text('The user’s email.'),
    name: text('The user’s name.'),
    role: choice(roles, { description: 'The user’s role in the organization.' }),
  },
  { title: 'UserSummary', description: 'The user.' },
)

const OrganizationSummary = Type.Object(
  {
    id: idOf(organizationIds, 'Organization identifier.'),
    name: text('Name of the organization.'),
    plan: text('Its plan, which decides its rate limit.'),
  },
  { title: 'OrganizationSummary', description: 'The organization.' },
)

export const Login = Type.Object(
  {
    token: Type.String({ description: 'JWT: send it as `Authorization: Bearer <token>`.' }),
    expires_at: time('When the token expires; refresh it before.'),
    token_type: Type.Literal('Bearer', { description: 'The scheme of the Authorization header.' }),
    session_id: idOf(sessionIds, 'The session of the token.'),
    user: UserSummary,
    organization: OrganizationSummary,
  },
  { title: 'Login' },
)

export const Refreshed = Type.Object(
  {
    ...Login.properties,
    token: orNull(
      text('The new token; null when replayed, and for the console, whose cookie has it.'),
    ),
  },
  { title: 'Refreshed' },
)

const ApiKeySummary = Type.Object(
  {
    id: idOf(apiKeyIds, 'API key identifier.'),
    name: text('Name of the key.'),
    role: choice(keyRoles, {
      description: 'Upper limit of the key’s permissions; those of its creator limit it too.',
    }),
    expires_at: orNull(time('When it expires; null: never.')),
  },
  { title: 'ApiKeySummary', description: 'The API key.' },
)

export const Me = Type.Object(
  {
    session_id: orNull(idOf(sessionIds, 'Null for an API key.')),
    user: orNull(UserSummary),
    api_key: orNull(ApiKeySummary),
    organization: OrganizationSummary,
    scope: ScopeOrNull,
    single_sign_on: Type.Boolean({
      description: 'Whether the session was opened by single sign-on.',
    }),
    must_set_up_factor: Type.Boolean({
      description:
        'Whether the organization requires a second factor that the user does not have: nothing else is possible before.',
    }),
  },
  { title: 'Me', description: 'Either `user` or `api_key` is null.' },
)

export const Session = Type.Object(
  {
    id: idOf(sessionIds, 'Session identifier.'),
    current: Type.Boolean({ description: 'True for the session of this request.' }),
    ip: orNull(text('Address it was opened from.')),
    user_agent: orNull(text('The `User-Agent` header at the time.')),
    created_at: time('When it was opened by a login.'),
    last_refreshed_at: orNull(time('When its token was last refreshed.')),
    expires_at: time('Until when it can be refreshed.'),
  },
  { title: 'Session' },
)

export const SessionList = pageOfSchema(Session)

export const PasswordBody = bodyOf({
  current_password: Secret('The current password.'),
  new_password: NewPassword,
})

export const ForgottenBody = bodyOf({ email })

export const Forgotten = Type.Object(
  { status: Type.Literal('accepted', { description: 'The same for every address.' }) },
  { title: 'Forgotten', description: 'Says nothing of whether there is such a user.' },
)

export const ResetBody = bodyOf({
  secret: Secret('What follows `#` in the link.'),
  password: NewPassword,
  otp: Type.Optional(Otp),
})

export const GivenReset = Type.Object(
  {
    mailed: Type.Boolean({ description: 'Whether the link was mailed.' }),
    expires_at: time('Until when the link works.'),
    url: shownOnce('The link, where the service sends no mail: give it to the person.'),
  },
  { title: 'GivenReset', description: 'A link to set a password.' },
)
