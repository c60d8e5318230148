import { buildConnector, Client } from 'undici'

/** One connection to a checked address, for one request at a time. */
export type Connection = {
  /** IPv4 or IPv6, as text. */
  address: string
  /** A request has gone over it before, so the other side may be closing it at this moment. */
  isReused: boolean
  client: Client
  /** After a complete answer: the next request to the same origin and address may have it. */
  giveBack(): void
  /** Destroys it, and with it a request that has not ended. */
  drop(): void
}

export type Connections = {
  /** An idle connection, or a new one, which connects once a request is dispatched on it. */
  take(origin: string, address: string, from?: 'idle or new' | 'new'): Connection
  hasIdle(origin: string, address: string): boolean
  /** Destroys idle ones; those in use end with their request. */
  close(): void
}

export type ConnectionSettings = {
  connectTimeoutMs: number
  /** An idle connection is closed after this time, or earlier where the receiver says so. */
  idleTimeoutMs: number
  /** Of all origins together; beyond it, the one that has been idle longest is closed. */
  mostIdle: number
  /** Certificates, PEM, of authorities to trust instead of those that Node.js trusts. */
  ca?: string
}

const maxHeaderBytes = 16_384

/** Connections that go to a pinned address and stay open for a while: one at a time for a request. */
export function openConnections(settings: ConnectionSettings): Connections {
  /** In the order in which they became idle. */
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
    if (oldest && idle.size > settings.mostIdle) drop(oldest)
  }

  /** The last one used, which is the least likely to be closed at the other end. */
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

/** Makes clients that speak HTTP/1.1 to one address, whatever the name resolves to by now. */
function connectorFor({ connectTimeoutMs, idleTimeoutMs, ca }: ConnectionSettings) {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
    rejectUnauthorized: true,
    // The name in the certificate is not checked again when a session is resumed.
    maxCachedSessions: 0,
    ...(ca === undefined ? {} : { ca }),
  })
  return (origin: string, address: string) =>
    new Client(origin, {
      // `host` still is the name: for SNI, and to be found in the certificate.
      connect: (options, done) => connect({ ...options, hostname: address }, done),
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
      // Whoever sends a request limits its time as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
}
