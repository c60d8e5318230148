import { apiKeyPrefix, readApiKey } from '../../identity/api-key-text.ts'
import type { ScopedHolder } from '../../identity/permissions.ts'
import type { Login } from '../../identity/recent-login.ts'
import { databaseNow, isStillValid, type SessionState } from '../../identity/session-states.ts'
import { type Claims, skewSeconds } from '../../identity/tokens.ts'
import type { Services } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { Actor, Organization } from '../../values/organization.ts'

/** The authenticated caller, from the bearer token and the store. */
export type Credential = ScopedHolder & {
  readonly organization: Organization
  readonly actor: Actor
  /** Null for API keys. */
  readonly sessionId: string | null
  readonly tokenId: string | null
  /** The login of a person; null for API keys. */
  readonly login: Login | null
  /** The token was replaced by a refresh more than a minute ago. */
  readonly isReplaced: boolean
  /** Seconds since the epoch; null for API keys. */
  readonly tokenIssuedAt: number | null
}

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** The credential of an `Authorization` header; throws the matching 401. */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
): Promise<Credential> {
  if (authorization === undefined || authorization === '') {
    throw new Problem('missing_token', 'The Authorization header is missing.')
  }
  const token = bearer.exec(authorization)?.[1]
  if (!token)
    throw new Problem(
      'invalid_token',
      'The Authorization header is not of the form "Bearer <token>".',
    )
  return token.startsWith(apiKeyPrefix) ? byApiKey(services, token) : byToken(services, token)
}

async function byToken(services: Services, token: string): Promise<Credential> {
  const claims = await services.identity.tokens.verify(token)
  const session = await sessionOf(services, claims)
  if (!session || session.endedAt || session.disabled) throw revoked()
  const now = services.clock.now().toISOString()
  if (session.expiresAt <= now) {
    throw new Problem('session_expired', 'The session is older than 30 days.')
  }
  return {
    organization: session.organization,
    actor: { type: 'user', id: session.userId, name: session.userName },
    role: session.role,
    makerRole: null,
    scope: session.scope,
    agent: null,
    sessionId: claims.sessionId,
    tokenId: claims.tokenId,
    login: { at: session.authenticatedAt, hasFactor: session.hasFactor },
    isReplaced: isReplaced(claims, session, now),
    tokenIssuedAt: claims.issuedAt,
  }
}

/** Another process may have just issued the token, before its signal arrives here. */
async function sessionOf(services: Services, claims: Claims): Promise<SessionState | undefined> {
  const session = await services.identity.sessions.find(claims)
  if (!session || isListed(claims, session) || !mayBeNewer(claims, session)) return session
  services.identity.sessions.forget(claims.organizationId)
  return services.identity.sessions.find(claims)
}

const isListed = ({ tokenId }: Claims, { tokenId: current, replacedTokens }: SessionState) =>
  tokenId === current || replacedTokens.some(({ id }) => id === tokenId)

/** Compares issue times, each by the issuing process's clock. */
function mayBeNewer({ issuedAt }: Claims, session: SessionState): boolean {
  const isAfter = (time: string) => issuedAt + skewSeconds >= Math.floor(Date.parse(time) / 1000)
  return isAfter(session.tokenIssuedAt) && isAfter(databaseNow(session))
}

async function byApiKey(services: Services, text: string): Promise<Credential> {
  const claims = readApiKey(text)
  const key = claims && (await services.identity.apiKeys.find(claims))
  if (!key) throw new Problem('invalid_token', 'The API key is unknown.')
  if (key.revokedAt) throw new Problem('token_revoked', 'The API key was revoked.')
  if (key.isOrphaned) {
    throw new Problem('token_revoked', 'The user who created the API key is disabled or deleted.')
  }
  const now = services.clock.now()
  if (key.expiresAt && key.expiresAt <= now.toISOString()) {
    throw new Problem('token_expired', 'The API key has expired.')
  }
  services.identity.apiKeys.noteUse(key, now)
  return {
    organization: key.organization,
    actor: { type: 'api_key', id: key.id, name: key.name },
    role: key.role,
    makerRole: key.makerRole,
    scope: key.scope,
    agent: key.agent,
    sessionId: null,
    tokenId: null,
    login: null,
    isReplaced: false,
    tokenIssuedAt: null,
  }
}

export const revoked = () => new Problem('token_revoked', 'The token was revoked.')

export const sessionRequired = () =>
  new Problem('session_required', 'This endpoint needs a login session; API keys have none.')

export const suspended = () =>
  new Problem('organization_suspended', 'The organization is suspended and read-only.')

function isReplaced({ tokenId }: Claims, session: SessionState, now: string): boolean {
  if (tokenId === session.tokenId) return false
  const replaced = session.replacedTokens.find(({ id }) => id === tokenId)
  return !replaced || !isStillValid(replaced, { now, databaseNow: databaseNow(session) })
}
