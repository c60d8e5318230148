import type { Services } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import type { SessionState } from '../kernel/sessions.ts'
import type { Claims } from '../kernel/tokens.ts'

/** Who a request comes from, as its bearer token and the store say. */
export type Credential = {
  readonly claims: Claims
  readonly session: SessionState
  /** The token was replaced by a refresh more than a minute ago. */
  readonly isReplaced: boolean
}

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** The credential of an `Authorization` header, or the 401 that says what is wrong with it. */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
): Promise<Credential> {
  if (authorization === undefined || authorization === '') {
    throw new Problem('missing_token', 'The header Authorization is missing.')
  }
  const token = bearer.exec(authorization)?.[1]
  if (!token)
    throw new Problem('invalid_token', 'The Authorization header is not "Bearer <token>".')
  const claims = await services.tokens.verify(token)
  const session = await services.sessions.find(claims)
  if (!session || session.endedAt || session.disabled) throw revoked()
  const now = services.clock.now().toISOString()
  if (session.expiresAt <= now) {
    throw new Problem('session_expired', 'The session is older than 30 days.')
  }
  return { claims, session, isReplaced: isReplaced(claims, session, now) }
}

export const revoked = () => new Problem('token_revoked', 'The token was revoked.')

function isReplaced({ tokenId }: Claims, session: SessionState, now: string): boolean {
  if (tokenId === session.tokenId) return false
  const { previousTokenId, previousTokenUntil } = session
  const isGrace =
    tokenId === previousTokenId && previousTokenUntil !== null && now < previousTokenUntil
  return !isGrace
}
