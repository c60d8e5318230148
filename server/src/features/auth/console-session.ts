import { Type } from 'typebox'
import { type Endpoint, endpoint, publicEndpoint } from '../../http/endpoint.ts'
import { selfUse } from '../../identity/permissions.ts'
import { login } from './login.ts'
import { tag } from './resource.ts'
import { Login, LoginBody } from './schema.ts'
import { logout } from './sessions.ts'

const { user, organization, expires_at } = Login.properties

/** The login of pages: the browser keeps the token, out of reach of scripts. */
export const consoleSession: readonly Endpoint[] = [
  publicEndpoint({
    operation: 'openConsoleSession',
    tag,
    summary: 'Log in to the console',
    method: 'POST',
    path: '/console/session',
    body: LoginBody,
    reply: Type.Object({ user, organization, expires_at }),
    problems: ['invalid_credentials', 'login_throttled'],
    cookie: 'set',
    run: (ctx, { body }) => login(ctx, body),
  }),
  endpoint({
    operation: 'endConsoleSession',
    tag,
    summary: 'Log out of the console',
    method: 'DELETE',
    path: '/console/session',
    permission: selfUse,
    needsSession: true,
    action: 'auth.logged_out',
    noDryRun: true,
    status: 204,
    cookie: 'remove',
    run: (ctx) => logout(ctx, { all: false }),
  }),
]
