import { Type } from 'typebox'
import { type Endpoint, endpoint, publicEndpoint } from '../../http/endpoint.ts'
import { selfUse } from '../../identity/permissions.ts'
import { login } from './login.ts'
import { tag } from './resource.ts'
import { Login, LoginBody, VerifyLoginBody } from './schema.ts'
import { verifyLogin } from './second-step.ts'
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
    body: VerifyLoginBody,
    reply: ConsoleLogin,
    problems: ['invalid_credentials', 'login_throttled'],
    cookie: 'set',
    run: (ctx, { body }) => verifyLogin(ctx, body),
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
