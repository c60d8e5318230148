import type { FastifyReply } from 'fastify'

/** Adds a header to `Vary`, keeping those that CORS has set. */
export function addVary(reply: FastifyReply, name: string): FastifyReply {
  const known = reply.getHeader('vary')
  return reply.header('vary', known ? `${known}, ${name}` : name)
}
