import type { FastifyReply } from 'fastify'
import type { Endpoint } from '../endpoint.ts'

/** `Deprecation` (RFC 9745) and what to use instead, on every answer of an endpoint that is to go. */
export function announceDeprecation({ deprecated }: Endpoint, reply: FastifyReply): void {
  if (!deprecated) return
  const { since, successor } = deprecated
  reply.header('deprecation', `@${Date.parse(since) / 1000}`)
  reply.header('link', linksTo(successor))
}

const linksTo = (successor: string): string =>
  `</docs>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`
