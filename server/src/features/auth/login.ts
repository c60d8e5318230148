import type { Type } from 'typebox'
import { lazy } from '../../concurrency/lazy.ts'
import { type EmailOwner, findEmailOwner } from '../../identity/email-directory.ts'
import { networkOf } from '../../identity/logins/networks.ts'
import { memberRole, type Role } from '../../identity/permissions.ts'
import { organizationIn } from '../../identity/session-states.ts'
import { audited } from '../../kernel/change.ts'
import {
  type BareContext,
  type Context,
  newContext,
  nowText,
  type WriteContext,
} from '../../kernel/context.ts'
import { insert, update } from '../../kernel/rows.ts'
import { Problem } from '../../problems/problem.ts'
import { accountOf } from '../../values/email.ts'
import { newId } from '../../values/ids.ts'
import type { Actor, Organization } from '../../values/organization.ts'
import { isKnownFrom, noteNetwork, oldestKnown } from './known-networks.ts'
import { sessionIds } from './resource.ts'
import type { Login, LoginBody } from './schema.ts'

const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000

type Credentials = Type.Static<typeof LoginBody>

/** Unknown users, wrong passwords and disabled users get the same response in the same time. */
export async function login(ctx: BareContext, { email, password }: Credentials) {
  const {
    identity: { passwords, throttle },
  } = ctx.services
  const [account, address] = [accountOf(email), ctx.request?.ip ?? '']
  const found = lazy(() => findUser(ctx, account, networkOf(address)))
  const isKnown = async () => (await found())?.is_known ?? false
  const { user, isRight } = await throttle.attempt({ account, address, isKnown }, async () => {
    const user = await found()
    const hashing = user?.is_known ? 'known login' : 'unknown login'
    const matches = await passwords.verify(password, user?.password_hash, hashing)
    return { user, isRight: matches && user?.disabled === false }
  })
  if (user && isRight) return openSession(contextOf(ctx, user), user)
  // A failure without an account is not recorded, but takes as long.
  const {
    identity: { loginFailureDecoy: failurePace },
  } = ctx.services
  await (user ? failurePace.timed(() => recordFailure(ctx, user)) : failurePace.simulate())
  throw new Problem('invalid_credentials', 'Email or password is wrong.')
}

type User = {
  id: string
  email: string
  name: string
  role: Role
  disabled: boolean
  password_hash: string
  /** The user recently logged in from the network of this request. */
  is_known: boolean
  organization: Organization
}

const noOrganization: EmailOwner = { organizationId: '', userId: '' }

/** Looks up unknown addresses the same way, so that timing reveals nothing. */
async function findUser(
  ctx: BareContext,
  email: string,
  network: string,
): Promise<User | undefined> {
  const { organizationId, userId } = (await findEmailOwner(ctx.reader, email)) ?? noOrganization
  const oldest = oldestKnown(ctx.services)
  const row = await ctx.reader
    .kysely()
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.id', 'users.email', 'users.name', 'users.role', 'users.disabled'])
    .select(['users.password_hash', 'organizations.id as organization_id', 'organizations.plan'])
    .select(['organizations.name as organization_name', 'organizations.status'])
    .select(['organizations.require_if_match', 'organizations.time_zone'])
    .select('organizations.clock_ahead_ms')
    .select(isKnownFrom({ organizationId, network, oldest }).as('is_known'))
    .where('users.organization_id', '=', organizationId)
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row && { ...row, role: row.role, organization: organizationIn(row) }
}

function contextOf(ctx: BareContext, { id, name, role, organization }: User): Context {
  return newContext(ctx, { organization, actor: { type: 'user', id, name }, role, scope: null })
}

const userResource = (user: { id: string; name: string }) => ({
  type: 'user',
  id: user.id,
  name: user.name,
})

function recordFailure(ctx: BareContext, user: User): Promise<void> {
  const request = ctx.request && { ...ctx.request, status: 401 }
  const actor: Actor = { type: 'anonymous', id: null, name: null }
  const entry = {
    action: 'auth.login_failed',
    outcome: 'failed' as const,
    resource: userResource(user),
  }
  return audited({ ...contextOf(ctx, user), actor, request }, entry, async () => {})
}

/** A new session for the context's user. */
export async function openSession(
  ctx: Context,
  user: { id: string; email: string; name: string },
): Promise<Type.Static<typeof Login>> {
  const sessionId = newId(sessionIds)
  const tokenId = newId(sessionIds)
  const issuedAt = Math.floor(ctx.services.clock.now().getTime() / 1000)
  const signed = await signedToken(ctx, { sessionId, tokenId, issuedAt })
  const entry = { action: 'auth.login_succeeded', resource: userResource(user) }
  await audited(ctx, entry, async (ctx) => insertSession(ctx, { sessionId, tokenId, issuedAt }))
  return { ...signed, ...identityOf(ctx, sessionId, user) }
}

export type TokenFacts = { sessionId: string; tokenId: string; issuedAt: number }

export const signedToken = (ctx: Context, facts: TokenFacts) =>
  ctx.services.identity.tokens.sign({
    ...facts,
    userId: String(ctx.actor.id),
    organizationId: ctx.organization.id,
    role: memberRole(ctx),
  })

export const identityOf = (
  ctx: Context,
  sessionId: string,
  user: { email: string; name: string },
) => ({
  token_type: 'Bearer' as const,
  session_id: sessionId,
  user: { id: String(ctx.actor.id), email: user.email, name: user.name, role: memberRole(ctx) },
  organization: organizationOf(ctx),
})

export const organizationOf = ({ organization: { id, name, plan } }: Context) => ({
  id,
  name,
  plan,
})

/** Sessions, like tokens, use real time even in a sandbox. */
function insertSession(ctx: WriteContext, { sessionId, tokenId, issuedAt }: TokenFacts): void {
  const now = nowText(ctx.services)
  insert(ctx, 'sessions', {
    id: sessionId,
    user_id: String(ctx.actor.id),
    token_id: tokenId,
    token_issued_at: new Date(issuedAt * 1000).toISOString(),
    ip: ctx.request?.ip ?? null,
    user_agent: ctx.request?.user_agent ?? null,
    created_at: now,
    expires_at: new Date(Date.parse(now) + sessionLifetimeMs).toISOString(),
  })
  if (ctx.request) noteNetwork(ctx, networkOf(ctx.request.ip), now)
  update(ctx, 'users', { id: String(ctx.actor.id), last_login_at: now })
}
