import type { FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context.ts'
import { isServerFault, type Problem } from '../../problems/problem.ts'
import type { Exchange } from '../exchange.ts'
import { pathOf } from '../request/path.ts'

const slowAfterMs = 1_000

/** Child loggers are lazy: 2 µs each. */
export const logOf = (request: FastifyRequest) => request.server.log.child(idsOf(request))

const idsOf = ({ id, headers }: FastifyRequest) => {
  const client = clientIdOf(headers['x-request-id'])
  return client === '' ? { request_id: id } : { request_id: id, client_request_id: client }
}

const longestClientId = 128

/**
 * The id that a client or a proxy gives the request, to join its log with ours: only its printable
 * characters.
 */
const clientIdOf = (given: string | string[] | undefined): string =>
  String(given ?? '')
    .slice(0, longestClientId)
    .replaceAll(/[^!-~]/g, '')

/** Logs a fault of the service; in an outage of the database requests are only counted. */
export function logFault(
  { observability: { failures } }: Services,
  request: FastifyRequest,
  problem: Problem,
): void {
  const err = problem.cause ?? problem
  const facts = { ...idsOf(request), method: request.method, path: shownPath(request) }
  const isCounted = failures.isOutage('requests', err, facts)
  if (request.visit) request.visit.isCounted = isCounted
  if (!isCounted) logOf(request).error({ err }, problem.message)
}

/** Without secrets: of a path with one only its form. */
function shownPath(request: FastifyRequest): string {
  const { url = '' } = request.routeOptions
  return url.includes(':token') ? url : pathOf(request)
}

type LoggedExchange = Exchange & { isDebugging: boolean }

/**
 * Logs every request at `debug`, failed and slow ones at `warn`. Never the query (it contains
 * search terms), headers but the client's id, or body. Refusals are summarized in refusals.ts.
 */
export function logRequest({ request, reply, isDebugging }: LoggedExchange): void {
  const { live = false, waits = false } = request.visit?.config ?? {}
  const isSlow = reply.elapsedTime > slowAfterMs && !live && !waits
  const isFailed = isServerFault(reply.statusCode) && request.visit !== null
  const isNotable = (isSlow || isFailed) && request.visit?.isCounted !== true
  if (!isNotable && !isDebugging) return
  const facts = {
    method: request.method,
    path: shownPath(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
  }
  if (isNotable) logOf(request).warn(facts, 'request')
  else logOf(request).debug(facts, 'request')
}
