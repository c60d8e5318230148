import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, NewObject, statusOf } from '../endpoint.ts'

/** The object of a reply; one that was made is answered with 201. */
export function unwrapped(result: unknown, reply: FastifyReply): unknown {
  if (!(result instanceof NewObject)) return result
  reply.code(201)
  return result.object
}

/** The status of a reply. A request that has made its object, now or when it was first sent, has set it. */
export function sentStatusOf(
  endpoint: Endpoint,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): number {
  if ((endpoint.mayCreate || endpoint.alsoMakes) && reply.statusCode === 201) return 201
  return endpoint.statusFor?.(request.body) ?? statusOf(endpoint)
}

/** Members of a reply that become headers. */
type Members = { version?: number; id?: string; meta?: { next_cursor?: string | null } }

export const membersOf = (result: unknown): Members =>
  typeof result === 'object' && result !== null ? result : {}
