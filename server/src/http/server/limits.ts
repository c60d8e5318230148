import type { FastifyInstance } from 'fastify'

/**
 * How long a client may take, in milliseconds. Load balancers keep idle connections for 60 s: ours
 * outlive theirs, so that none is cut just as it is used again.
 */
export const timeouts = {
  /** The whole request, its body included. */
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  /** Nothing moves on the socket, also in the middle of an answer. */
  connectionTimeout: 60_000,
  http: {
    /** From the first byte, or the beginning of a connection that sends none. */
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  },
}

const maxConnections = 10_000
const logEveryMs = 10_000

/** Beyond so many, the next are closed as they come: each costs memory before it says a word. */
export function limitConnections({ server, log }: FastifyInstance): void {
  let toldAt = Number.NEGATIVE_INFINITY
  server.maxConnections = maxConnections
  server.on('drop', () => {
    if (performance.now() - toldAt < logEveryMs) return
    toldAt = performance.now()
    log.warn({ open: server.maxConnections }, 'too many connections: further ones are closed')
  })
}
