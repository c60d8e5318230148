import { Type } from 'typebox'
import { type Endpoint, endpoint, publicEndpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { selfUse } from '../../identity/permissions.ts'
import { listParameters } from '../../query/list.ts'
import { bodyOf } from '../../schema/fields.ts'
import { passkeyTaken } from './factors/factors.ts'
import { PasskeyOptions, passkeyExample } from './factors/passkeys/schema.ts'
import { factorIds } from './factors/resource.ts'
import { factorEndpoints } from './factors/routes.ts'
import { sealedFactors } from './factors/stored.ts'
import { login } from './login.ts'
import { loginCodeEndpoints } from './login-codes/routes.ts'
import { purgeLoginCodes } from './login-codes/store.ts'
import { loginByPasskey, passkeyOptions } from './passkey-login.ts'
import { changePassword } from './password.ts'
import { resetEndpoints } from './reset/routes.ts'
import { sessionIds, tag } from './resource.ts'
import { purgeChallenges, purgeFactors, purgeLoginNetworks, purgeSessions } from './retention.ts'
import {
  Login,
  LoginBody,
  Me,
  PasskeyLoginBody,
  PasskeyOptionsBody,
  PasswordBody,
  Refreshed,
  SessionList,
  VerifyLoginBody,
} from './schema.ts'
import { verifyLogin } from './second-step.ts'
import { endSession, listSessions, logout, me, refresh, sessionList } from './sessions.ts'

const endpoints: Endpoint[] = [
  publicEndpoint({
    operation: 'login',
    tag,
    summary: 'Log in',
    description:
      'A token is valid for 24 hours. Repeated failures slow down further attempts from the same network. Who has a second factor sends its code as `otp`, or gets a `challenge` to answer in a second request.',
    method: 'POST',
    path: '/auth/login',
    body: LoginBody,
    example: { email: 'grace@example.com', password: 'correct horse battery' },
    reply: Login,
    problems: ['invalid_credentials', 'second_factor_required', 'login_throttled'],
    run: (ctx, { body }) => login(ctx, body),
  }),
  publicEndpoint({
    operation: 'verifyLogin',
    tag,
    summary: 'Log in: the second step',
    description:
      'Answers the challenge of `POST /auth/login`, which is open for 5 minutes and 5 tries, by one of its `methods`.',
    method: 'POST',
    path: '/auth/login/verify',
    body: VerifyLoginBody,
    example: { challenge: 'q1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU', otp: '492039' },
    reply: Login,
    problems: ['invalid_credentials', 'login_throttled'],
    run: (ctx, { body }) => verifyLogin(ctx, body),
  }),
  publicEndpoint({
    operation: 'getPasskeyOptions',
    tag,
    summary: 'Ask for what a passkey must sign',
    description:
      'With the `challenge` of a login, for its second step; without, for a login by the passkey alone. Each answer is good once, for 5 minutes.',
    method: 'POST',
    path: '/auth/passkey/options',
    body: PasskeyOptionsBody,
    example: { challenge: 'q1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU' },
    reply: PasskeyOptions,
    problems: ['invalid_credentials', 'invalid_state_transition', 'login_throttled'],
    run: (ctx, { body }) => passkeyOptions(ctx, body),
  }),
  publicEndpoint({
    operation: 'loginByPasskey',
    tag,
    summary: 'Log in by a passkey alone',
    description: 'The passkey says who it is, and counts as both factors.',
    method: 'POST',
    path: '/auth/passkey/verify',
    body: PasskeyLoginBody,
    example: { passkey: passkeyExample },
    reply: Login,
    problems: ['invalid_credentials', 'invalid_state_transition', 'login_throttled'],
    run: (ctx, { body }) => loginByPasskey(ctx, body),
  }),
  endpoint({
    operation: 'refresh',
    tag,
    summary: 'Renew the token',
    description:
      'Returns a new token. The current one works for 60 more seconds; refreshing with it after that ends the session. In the console the new token goes into the cookie, and `token` is null.',
    method: 'POST',
    path: '/auth/refresh',
    permission: selfUse,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.refreshed',
    noDryRun: true,
    takesReplacedToken: true,
    cookie: 'renew',
    body: bodyOf({}),
    reply: Refreshed,
    run: (ctx) => refresh(ctx),
  }),
  endpoint({
    operation: 'logout',
    tag,
    summary: 'Log out',
    description: 'Ends the session and all of its tokens immediately.',
    method: 'DELETE',
    path: '/auth/logout',
    permission: selfUse,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.logged_out',
    noDryRun: true,
    query: {
      all: Type.Boolean({ default: false, description: 'End all sessions of the user.' }),
    },
    status: 204,
    run: (ctx, { query }) => logout(ctx, { all: query.all === 'true' }),
  }),
  endpoint({
    operation: 'getMe',
    tag,
    summary: 'Get the authenticated user or API key',
    method: 'GET',
    path: '/auth/me',
    permission: selfUse,
    withoutFactor: true,
    reply: Me,
    run: (ctx) => me(ctx),
  }),
  endpoint({
    operation: 'listSessions',
    tag,
    summary: 'List your sessions',
    method: 'GET',
    path: '/auth/sessions',
    permission: selfUse,
    needsSession: true,
    query: listParameters(sessionList),
    reply: SessionList,
    run: (ctx, { query }) => listSessions(ctx, query),
  }),
  endpoint({
    operation: 'endSession',
    tag,
    summary: 'End one of your sessions',
    method: 'DELETE',
    path: '/auth/sessions/:id',
    permission: selfUse,
    needsSession: true,
    action: 'auth.logged_out',
    status: 204,
    run: (ctx, { id }) => endSession(ctx, id),
  }),
  endpoint({
    operation: 'changePassword',
    tag,
    summary: 'Change your password',
    description: 'Ends every other session of the user.',
    method: 'POST',
    path: '/auth/password',
    permission: selfUse,
    needsSession: true,
    action: 'auth.password_changed',
    body: PasswordBody,
    example: {
      current_password: 'correct horse battery',
      new_password: 'a longer pass phrase',
    },
    status: 204,
    problems: ['invalid_credentials', 'login_throttled'],
    run: (ctx, { body }) => changePassword(ctx, body),
  }),
  ...loginCodeEndpoints,
  ...factorEndpoints,
  ...resetEndpoints,
]

export const auth: Feature = {
  tag,
  permissions: [selfUse],
  ids: { sessions: sessionIds, factors: factorIds },
  evenWhenFull: {
    'auth.login_succeeded': true,
    'auth.login_failed': true,
    'auth.login_challenged': true,
    'auth.login_code_confirmed': true,
    'auth.login_code_refused': true,
    'auth.login_second_factor_failed': true,
    'auth.factor_begun': true,
    'auth.factor_added': true,
    'auth.factor_removed': true,
    'auth.factors_removed': true,
    'auth.recovery_codes_made': true,
    'auth.refreshed': true,
    'auth.refresh_reuse_detected': true,
    'auth.logged_out': true,
    'auth.password_changed': true,
    'auth.password_reset_requested': true,
  },
  sealed: sealedFactors,
  constraints: { passkey_owners_pkey: passkeyTaken },
  // Responses about logins must not be cached.
  endpoints: endpoints.map((each) => ({ ...each, noStore: true })),
  jobs: [
    { name: 'sessions.purge', cron: '41 3 * * *', run: purgeSessions },
    { name: 'login-networks.purge', cron: '45 3 * * *', run: purgeLoginNetworks },
    { name: 'factors.purge', cron: '*/10 * * * *', run: purgeFactors },
    { name: 'login-challenges.purge', cron: '49 3 * * *', run: purgeChallenges },
    { name: 'login-codes.purge', cron: '*/10 * * * *', run: purgeLoginCodes },
  ],
}
