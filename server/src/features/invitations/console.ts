import { Type } from 'typebox'
import { type Endpoint, publicEndpoint } from '../../http/endpoint.ts'
import { Login } from '../auth/schema.ts'
import { acceptInvitation } from './accept.ts'
import { tag } from './resource.ts'
import { AcceptBody } from './schema.ts'

const { user, organization, expires_at } = Login.properties

/** The same for pages: the browser keeps the token, out of reach of scripts. */
export const consoleInvitations: readonly Endpoint[] = [
  publicEndpoint({
    operation: 'joinInConsole',
    tag,
    summary: 'Accept an invitation in the console',
    method: 'POST',
    path: '/console/session/join',
    body: AcceptBody,
    reply: Type.Object({ user, organization, expires_at }),
    problems: ['not_found', 'link_expired', 'email_taken', 'limit_exceeded', 'login_throttled'],
    cookie: 'set',
    run: (ctx, { body }) => acceptInvitation(ctx, body),
  }),
]
