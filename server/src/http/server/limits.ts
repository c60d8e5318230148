import type { FastifyInstance } from 'fastify'

/**
 * Client timeouts in milliseconds. Load balancers keep idle connections for 60 s; keep-alive
 * outlives that, so that no connection is closed just as it is reused.
 */
export const timeouts = {
  /** For the whole request, including its body. */
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  /** Without activity on the socket, even during a response. */
  connectionTimeout: 60_000,
  http: {
    /** From the first byte, or from connecting if none arrives. */
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  },
}

const maxConnections = 10_000
const logEveryMs = 10_000

/** Excess connections are closed on arrival, before they use memory. */
export function limitConnections({ server, log }: FastifyInstance): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  server.maxConnections = maxConnections
  server.on('drop', () => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn({ open: server.maxConnections }, 'too many connections: new ones are closed')
  })
}
