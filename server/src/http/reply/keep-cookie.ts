import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Services } from '../../kernel/context.ts'
import type { Credential } from '../request/authenticate.ts'
import { isHalfOver, sessionCookie } from '../request/session-cookie.ts'
import { addVary } from './vary.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

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
  const { clock, config, renewToken } = ctx.services
  if (tokenIssuedAt === null || !isHalfOver(tokenIssuedAt, clock.now())) return
  const token = await renewToken(ctx)
  const { publicUrl } = config
  if (token) reply.header('set-cookie', sessionCookie({ request, publicUrl }, token))
}

/** The result of a login has the token, which the reply's schema leaves out. */
export function changeCookie(
  change: 'set' | 'remove',
  result: unknown,
  { services, request, reply }: Exchange & { services: Services },
): void {
  const { token }: { token?: string } = Object(result)
  const { publicUrl } = services.config
  const kept = change === 'set' && token !== undefined ? token : null
  reply.header('set-cookie', sessionCookie({ request, publicUrl }, kept))
}
