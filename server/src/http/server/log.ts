import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServerFault } from '../../problems/problem.ts'

const slowAfterMs = 1_000

/** Child loggers are lazy: 2 µs each. */
export const logOf = ({ server, id }: FastifyRequest) => server.log.child({ request_id: id })

type Exchange = { request: FastifyRequest; reply: FastifyReply; isDebugging: boolean }

/**
 * Logs every request at `debug`, failed and slow ones at `warn`. Never the query (it contains
 * search terms), headers or body. Refusals are summarized in refusals.ts.
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
