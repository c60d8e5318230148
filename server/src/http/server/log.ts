import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServerFault } from '../../problems/problem.ts'

const slowAfterMs = 1_000

/** Made when there is something to say: one for every request would cost each two microseconds. */
export const logOf = ({ server, id }: FastifyRequest) => server.log.child({ request_id: id })

type Exchange = { request: FastifyRequest; reply: FastifyReply; isDebugging: boolean }

/**
 * Each request at `debug`; at `warn` those that failed on our side or were slow. Never a query (it
 * holds what people search for), a header or a body. Those turned away are told in sum: refusals.ts.
 */
export function logRequest({ request, reply, isDebugging }: Exchange): void {
  const path = request.url.split('?', 1)[0] ?? request.url
  const isSlow = reply.elapsedTime > slowAfterMs && request.visit?.config.live !== true
  const isNotable = isSlow || (isServerFault(reply.statusCode) && request.visit !== null)
  if (!isNotable && !isDebugging) return
  const facts = {
    method: request.method,
    path,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
  }
  if (isNotable) logOf(request).warn(facts, 'request')
  else logOf(request).debug(facts, 'request')
}
