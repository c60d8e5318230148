import { buildConnector, Client } from 'undici'

/** A connection to a checked address, for one request at a time. */
export type Connection = {
  /** IPv4 or IPv6, as text. */
  address: string
  /** Whether it has carried a request before, so that the peer may be closing it right now. */
  isReused: boolean
  client: Client
  /**
   * Call after a complete response: the connection can then be reused for the same origin and
   * address.
   */
  giveBack(): void
  /** Destroys the connection and any request on it. */
  drop(): void
}

export type Connections = {
  /** An idle connection, or a new one that connects when a request is dispatched. */
  take(origin: string, address: string, from?: 'idle or new' | 'new'): Connection
  hasIdle(origin: string, address: string): boolean
  /** Destroys idle connections; those in use end with their request. */
  close(): void
}

export type ConnectionSettings = {
  connectTimeoutMs: number
  /** Idle connections are closed after this time, or earlier if the server says so. */
  idleTimeoutMs: number
  /** Maximum of idle connections; beyond it the one idle longest is closed. */
  maxIdle: number
  /** PEM certificates of CAs to trust instead of the Node.js defaults. */
  ca?: string
}

const maxHeaderBytes = 16_384

/** Kept-alive connections to pinned addresses, one request at a time. */
export function openConnections(settings: ConnectionSettings): Connections {
  /** In the order they became idle. */
  const idle = new Map<Client, string>()
  const make = connectorFor(settings)
  let isClosed = false

  const drop = (client: Client) => {
    idle.delete(client)
    void client.destroy()
  }

  const giveBack = (client: Client, key: string) => {
    if (isClosed) return drop(client)
    idle.set(client, key)
    const [oldest] = idle.keys()
    if (oldest && idle.size > settings.maxIdle) drop(oldest)
  }

  /** The most recently used one is least likely to be closed by the peer. */
  const idleOne = (key: string) => {
    let found: Client | undefined
    for (const [client, itsKey] of idle) if (itsKey === key) found = client
    if (found) idle.delete(found)
    return found
  }

  return {
    take(origin, address, from = 'idle or new') {
      const key = `${origin} ${address}`
      const reused = from === 'new' ? undefined : idleOne(key)
      const client = reused ?? make(origin, address)
      if (!reused) client.on('disconnect', () => idle.has(client) && drop(client))
      return {
        address,
        isReused: reused !== undefined,
        client,
        giveBack: () => giveBack(client, key),
        drop: () => drop(client),
      }
    },
    hasIdle: (origin, address) => idle.values().some((key) => key === `${origin} ${address}`),
    close() {
      isClosed = true
      for (const client of idle.keys()) drop(client)
    },
  }
}

/** Creates HTTP/1.1 clients that connect to a fixed address, whatever the name now resolves to. */
function connectorFor({ connectTimeoutMs, idleTimeoutMs, ca }: ConnectionSettings) {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    // Session resumption would skip the certificate's name check.
    maxCachedSessions: 0,
    ...(ca === undefined ? {} : { ca }),
  })
  return (origin: string, address: string) =>
    new Client(origin, {
      // `host` remains the name, for SNI and certificate verification.
      connect: (options, done) => connect({ ...options, hostname: address }, done),
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
      // The caller limits the request's total time.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
}
