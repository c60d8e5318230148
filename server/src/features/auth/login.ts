import type { Type } from 'typebox'
import { lazy } from '../../concurrency/lazy.ts'
import { checkMayUsePassword } from '../../identity/enforced-sso.ts'
import { networkOf } from '../../identity/logins/networks.ts'
import { memberRole } from '../../identity/permissions.ts'
import { audited } from '../../kernel/change.ts'
import { type BareContext, type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { insert, update } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { Problem } from '../../problems/problem.ts'
import { accountOf } from '../../values/email.ts'
import { newId } from '../../values/ids.ts'
import { contextOf, findUser, recordFailure, type User, userResource } from './accounts.ts'
import { secondFactorRequired } from './factors/challenges.ts'
import { guessing, useProof } from './factors/proof.ts'
import { noteNetwork } from './known-networks.ts'
import { sessionIds } from './resource.ts'
import type { Login, LoginBody } from './schema.ts'

const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000

type Credentials = Type.Static<typeof LoginBody>

export type LoggedIn = Type.Static<typeof Login>

type Judged = { user: User | undefined; isRight: boolean; session?: LoggedIn | null }

/** Unknown users, wrong passwords and disabled users get the same response in the same time. */
export async function login(ctx: BareContext, credentials: Credentials): Promise<LoggedIn> {
  const {
    identity: { throttle },
  } = ctx.services
  const [account, address] = [accountOf(credentials.email), ctx.request?.ip ?? '']
  const found = lazy(() => findUser(ctx, account, networkOf(address)))
  const isKnown = async () => (await found())?.is_known ?? false
  const { user, isRight, session } = await throttle.attempt({ account, address, isKnown }, () =>
    judge(ctx, { user: found, credentials }),
  )
  if (session) return session
  if (user && isRight) return openSession(contextOf(ctx, user), user)
  // A failure without an account is not recorded, but takes as long.
  const {
    identity: { loginFailureDecoy: failurePace },
  } = ctx.services
  const record = (user: User) => recordFailure(contextOf(ctx, user), user)
  await (user ? failurePace.timed(() => record(user)) : failurePace.simulate())
  const { otp } = credentials
  const detail = otp === undefined ? 'Email or password' : 'Email, password or code'
  throw new Problem('invalid_credentials', `${detail} is wrong.`)
}

type Attempted = { user: () => Promise<User | undefined>; credentials: Credentials }

/**
 * A wrong code is a failure like a wrong password. What asks for the code is thrown: it neither counts
 * as a failure, nor forgives the failures before.
 */
async function judge(ctx: BareContext, { user: found, credentials }: Attempted): Promise<Judged> {
  const { password, otp } = credentials
  const { services } = ctx
  const user = await found()
  const hashing = user?.is_known ? 'known login' : 'unknown login'
  const matches = await services.identity.passwords.verify(password, user?.password_hash, hashing)
  if (!user || !matches || user.disabled) return { user, isRight: false }
  await checkMayUsePassword(ctx.reader, user)
  if (!user.second_factor) return { user, isRight: true }
  const own = contextOf(ctx, user)
  if (otp === undefined) throw await secondFactorRequired(own, user)
  const session = await guessing(services, user, () => openSessionBy(own, user, otp))
  return { user, isRight: session !== null, session }
}

/** The code is used up with the session that it opens; null if it is wrong. */
const openSessionBy = (ctx: Context, user: User, otp: string): Promise<LoggedIn | null> =>
  inTransaction(ctx, async (ctx) =>
    (await useProof(ctx, user, { otp })) ? openSession(ctx, user) : null,
  )

/** The login by a provider, as its session keeps it. */
export type SsoLogin = {
  readonly issuer: string
  /** Names the session there; null where the provider does not say. */
  readonly session: string | null
  /** When the person last proved who it is; null where the provider does not say. */
  readonly authenticatedAt: string | null
  /** When the session ends, if that is sooner than of a new login. */
  readonly endsAt?: string
}

const ssoLifetimeMs = 12 * 60 * 60 * 1000

/** A new session for the context's user. */
export async function openSession(
  ctx: Context,
  user: { id: string; email: string; name: string },
  sso: SsoLogin | null = null,
): Promise<LoggedIn> {
  const sessionId = newId(sessionIds)
  const tokenId = newId(sessionIds)
  const issuedAt = Math.floor(ctx.services.clock.now().getTime() / 1000)
  const signed = await signedToken(ctx, { sessionId, tokenId, issuedAt })
  const entry = { action: 'auth.login_succeeded', resource: userResource(user) }
  await audited(ctx, entry, async (ctx) =>
    insertSession(ctx, { sessionId, tokenId, issuedAt }, sso),
  )
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
function insertSession(
  ctx: WriteContext,
  { sessionId, tokenId, issuedAt }: TokenFacts,
  sso: SsoLogin | null,
): void {
  const now = nowText(ctx.services)
  const lifetimeMs = sso ? ssoLifetimeMs : sessionLifetimeMs
  const expiresAt = new Date(Date.parse(now) + lifetimeMs).toISOString()
  insert(ctx, 'sessions', {
    id: sessionId,
    user_id: String(ctx.actor.id),
    token_id: tokenId,
    token_issued_at: new Date(issuedAt * 1000).toISOString(),
    ip: ctx.request?.ip ?? null,
    user_agent: ctx.request?.user_agent ?? null,
    created_at: now,
    expires_at: sso?.endsAt ?? expiresAt,
    sso_issuer: sso?.issuer ?? null,
    sso_session: sso?.session ?? null,
    authenticated_at: sso?.authenticatedAt ?? null,
  })
  if (ctx.request) noteNetwork(ctx, networkOf(ctx.request.ip), now)
  update(ctx, 'users', { id: String(ctx.actor.id), last_login_at: now })
}
