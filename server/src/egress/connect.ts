import { type ConnectionSettings, type Connections, openConnections } from './connections.ts'
import {
  type CheckedHost,
  type EgressRefusal,
  type HostCheckSettings,
  openHostCheck,
} from './host-check.ts'

export type { EgressRefusal as EgressFault } from './host-check.ts'

/** The checked addresses of a URL, those with open connections first. */
export type Destination = { origin: string; addresses: readonly string[] }

export type Egress = {
  connectTimeoutMs: number
  /** Resolves the host and checks every address; a single forbidden one refuses the host. */
  destinationOf(url: URL): Promise<Destination | { fault: EgressRefusal }>
  connections: Connections
  /** Closes idle connections and keeps no more. */
  close(): void
}

export type EgressSettings = Partial<ConnectionSettings> &
  Pick<HostCheckSettings, 'allowed' | 'own' | 'resolve'>

/**
 * The only way out to client-supplied addresses. Connections go to a checked address, not to a
 * name, so DNS rebinding gains nothing. Proxy settings of the environment are ignored.
 */
export function openEgress(settings: EgressSettings): Egress {
  const { allowed, own, resolve, ...given } = settings
  const bounds = { connectTimeoutMs: 5000, idleTimeoutMs: 10_000, maxIdle: 256, ...given }
  const connections = openConnections(bounds)
  const withinMs = bounds.connectTimeoutMs
  const check = openHostCheck({
    allowed,
    withinMs,
    ...(own && { own }),
    ...(resolve && { resolve }),
  })

  return {
    connectTimeoutMs: bounds.connectTimeoutMs,
    connections,
    close: connections.close,
    async destinationOf(url) {
      const checked = await check(url)
      return 'fault' in checked ? { fault: checked.fault } : destination(url, checked)
    },
  }

  function destination(url: URL, { host, addresses }: CheckedHost): Destination {
    const name = host.includes(':') ? `[${host}]` : host
    const origin = `${url.protocol}//${name}${url.port && `:${url.port}`}`
    if (addresses.length === 1) return { origin, addresses }
    const rank = (address: string) => (connections.hasIdle(origin, address) ? 0 : 1)
    return { origin, addresses: addresses.toSorted((a, b) => rank(a) - rank(b)) }
  }
}
