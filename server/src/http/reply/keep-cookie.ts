import type { Context, Services } from '../../kernel/context.ts'
import type { Exchange } from '../exchange.ts'
import type { Credential } from '../request/authenticate.ts'
import { authorizationOf, isHalfOver, sessionCookie } from '../request/session-cookie.ts'
import { addVary } from './vary.ts'

/**
 * For a request that a cookie has authenticated: renews the token in time, and keeps browsers from
 * answering one user from what they have stored for another.
 */
export async function keepCookie(
  ctx: Context,
  { tokenIssuedAt }: Pick<Credential, 'tokenIssuedAt'>,
  { request, reply }: Exchange,
): Promise<void> {
  addVary(reply, 'Cookie')
  const {
    clock,
    config,
    identity: { renewToken },
  } = ctx.services
  if (tokenIssuedAt === null || !isHalfOver(tokenIssuedAt, clock.now())) return
  const token = await renewToken(ctx)
  const { publicUrl } = config
  if (token) reply.header('set-cookie', sessionCookie({ request, publicUrl }, token))
}

type CookieChange = 'set' | 'remove' | 'renew'
type Answered = Exchange & { services: Services }

/** Puts the token of the result into the cookie; returns the result without what the cookie has. */
export function changeCookie(change: CookieChange, result: unknown, answered: Answered): unknown {
  const { services, request, reply } = answered
  const received = { request, publicUrl: services.config.publicUrl }
  if (change === 'renew') return renewed(result, answered)
  const token = change === 'set' ? tokenIn(result) : null
  reply.header('set-cookie', sessionCookie(received, token))
  return result
}

/** A token that was sent in a cookie never comes back where a script can read it. */
function renewed(result: unknown, { services, request, reply }: Answered): unknown {
  const received = { request, publicUrl: services.config.publicUrl }
  if (!authorizationOf(received).isFromCookie) return result
  const token = tokenIn(result)
  // A replay has none: the cookie has it already.
  if (token !== null) reply.header('set-cookie', sessionCookie(received, token))
  return { ...Object(result), token: null }
}

const tokenIn = (result: unknown): string | null => {
  const { token = null }: { token?: string | null } = Object(result)
  return token
}
