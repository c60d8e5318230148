import type { FastifyReply } from 'fastify'

/** The client has the whole answer, or is gone. */
export function endOf({ raw }: FastifyReply): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (raw.destroyed) resolve()
  else raw.once('close', resolve)
  return promise
}
