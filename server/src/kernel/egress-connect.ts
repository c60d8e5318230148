import { isIP } from 'node:net'
import { isReachable, readHost } from './egress.ts'
import { type ConnectionSettings, type Connections, openConnections } from './egress-connections.ts'
import { type Resolve, resolveAsTheSystem, together, within } from './egress-resolve.ts'
import { LRUMap } from './lru.ts'

/** Why nothing may connect: `message` is for whoever wrote the URL. */
export type EgressFault = { kind: 'dns' | 'forbidden_address'; message: string }

/** Where a URL leads at this moment: all addresses were checked. Those of open connections first. */
export type Destination = { origin: string; addresses: readonly string[] }

export type Egress = {
  connectTimeoutMs: number
  /** Resolves the host anew, and checks every address; one that is forbidden forbids them all. */
  destinationOf(url: URL): Promise<Destination | { fault: EgressFault }>
  connections: Connections
  /** Closes idle connections, and no longer keeps any. */
  close(): void
}

export type EgressSettings = Partial<ConnectionSettings> & {
  /** Subnets that are open although private: `config.egressAllow`. */
  allowed: readonly string[]
  resolve?: Resolve
}

/**
 * The only way out to addresses that clients choose. A connection goes to an address that was
 * checked, not to a name, so nothing is gained by DNS that answers differently the second time.
 * No proxy of the environment is used.
 */
export function openEgress(settings: EgressSettings): Egress {
  const { allowed, resolve = resolveAsTheSystem, ...given } = settings
  const bounds = { connectTimeoutMs: 5000, idleTimeoutMs: 10_000, mostIdle: 256, ...given }
  const connections = openConnections(bounds)
  // Both are pure, and cost more than the rest of a small request's preparation.
  const hostOf = remembered((text) => readHost(text, { pointer: '', allowed }))
  const isOpen = remembered((address) => isReachable(address, allowed))
  const resolveInTime = together(within(bounds.connectTimeoutMs, resolve))

  return {
    connectTimeoutMs: bounds.connectTimeoutMs,
    connections,
    close: connections.close,
    async destinationOf(url) {
      const read = hostOf(url.hostname)
      if ('fault' in read) return { fault: forbidden(`${url.hostname} is not allowed`) }
      const { host } = read
      if (isIP(host)) return destination(url, host, [host])
      const found = await addressesOf(host, resolveInTime)
      if ('fault' in found) return found
      const refused = found.addresses.find((address) => !isOpen(address))
      if (refused === undefined) return destination(url, host, found.addresses)
      return { fault: forbidden(`${host} resolves to ${refused}, which is not allowed`) }
    },
  }

  function destination(url: URL, host: string, addresses: readonly string[]): Destination {
    const name = host.includes(':') ? `[${host}]` : host
    const origin = `${url.protocol}//${name}${url.port && `:${url.port}`}`
    if (addresses.length === 1) return { origin, addresses }
    const rank = (address: string) => (connections.hasIdle(origin, address) ? 0 : 1)
    return { origin, addresses: addresses.toSorted((a, b) => rank(a) - rank(b)) }
  }
}

function remembered<Value>(judge: (text: string) => Value): (text: string) => Value {
  const known = new LRUMap<string, Value>(1000)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = judge(text)
    known.set(text, value)
    return value
  }
}

const forbidden = (why: string): EgressFault => ({
  kind: 'forbidden_address',
  message: `${why}: no loopback, private, reserved or metadata address is reached from here`,
})

async function addressesOf(
  host: string,
  resolve: Resolve,
): Promise<{ addresses: readonly string[] } | { fault: EgressFault }> {
  try {
    const addresses = [...new Set(await resolve(host))]
    return addresses.length > 0 ? { addresses } : { fault: unresolved(host, 'ENODATA') }
  } catch (error) {
    return { fault: unresolved(host, (error as NodeJS.ErrnoException).code) }
  }
}

const absent: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

function unresolved(host: string, code: string | undefined): EgressFault {
  if (absent.includes(code)) return { kind: 'dns', message: `the name ${host} does not resolve` }
  const why = code === undefined ? '' : ` (${code})`
  return { kind: 'dns', message: `the name ${host} could not be resolved${why}` }
}
