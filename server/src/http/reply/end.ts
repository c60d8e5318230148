import type { FastifyReply } from 'fastify'

/** Resolves when the response was sent completely, or the client is gone. */
export function endOf({ raw }: FastifyReply): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (raw.destroyed) resolve()
  else raw.once('close', resolve)
  return promise
}
