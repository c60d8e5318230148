import { Type } from 'typebox'
import { type Endpoint, endpoint, publicEndpoint } from '../../http/endpoint.ts'
import { selfUse } from '../../identity/permissions.ts'
import { login } from './login.ts'
import { verifySession } from './passkey-login.ts'
import { tag } from './resource.ts'
import { Login, LoginBody, VerifySessionBody } from './schema.ts'
import { logout } from './sessions.ts'

const { user, organization, expires_at } = Login.properties

const ConsoleLogin = Type.Object({ user, organization, expires_at })

/** The login of pages: the browser keeps the token, out of reach of scripts. */
export const consoleSession: readonly Endpoint[] = [
  publicEndpoint({
    operation: 'openConsoleSession',
    tag,
    summary: 'Log in to the console',
    method: 'POST',
    path: '/console/session',
    body: LoginBody,
    reply: ConsoleLogin,
    problems: ['invalid_credentials', 'second_factor_required', 'login_throttled'],
    cookie: 'set',
    run: (ctx, { body }) => login(ctx, body),
  }),
  publicEndpoint({
    operation: 'verifyConsoleSession',
    tag,
    summary: 'Log in to the console: the second step',
    method: 'POST',
    path: '/console/session/verify',
    description: 'A passkey without a `challenge` logs in alone.',
    body: VerifySessionBody,
    reply: ConsoleLogin,
    problems: ['invalid_credentials', 'login_throttled', 'invalid_state_transition'],
    cookie: 'set',
    run: (ctx, { body }) => verifySession(ctx, body),
  }),
  endpoint({
    operation: 'endConsoleSession',
    tag,
    summary: 'Log out of the console',
    method: 'DELETE',
    path: '/console/session',
    permission: selfUse,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.logged_out',
    noDryRun: true,
    status: 204,
    cookie: 'remove',
    run: (ctx) => logout(ctx, { all: false }),
  }),
]
