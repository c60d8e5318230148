import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import type { Exchange } from '../exchange.ts'

/** The reply in the form that the client prefers (RFC 7240), if the endpoint has it. */
export function asPreferred(
  { minimal }: Pick<Endpoint, 'minimal'>,
  result: unknown,
  { request, reply }: Exchange,
): unknown {
  if (!minimal || returnPreferredBy(request) !== 'minimal') return result
  reply.header('preference-applied', 'return=minimal')
  return minimal(result)
}

/** The preferred return; the first counts if there are several. */
function returnPreferredBy({ headers }: FastifyRequest): string | undefined {
  const preferences = String(headers.prefer ?? '').split(',')
  const pairs = preferences.map((each) => (each.split(';', 1)[0] ?? '').split('='))
  const [, value] = pairs.find(([name]) => name?.trim().toLowerCase() === 'return') ?? []
  return value?.replaceAll('"', '').trim()
}
