import type { FastifyReply } from 'fastify'

/** Tells caches of one more header that the answer depends on: CORS may have named its own. */
export function addVary(reply: FastifyReply, name: string): FastifyReply {
  const known = reply.getHeader('vary')
  return reply.header('vary', known ? `${known}, ${name}` : name)
}
