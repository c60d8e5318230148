import { isIP } from 'node:net'
import { LruMap } from 'toad-cache'
import { singleFlight } from '../concurrency/single-flight.ts'
import { mayConnect, notAllowed, reachOf, readHost } from './address-policy.ts'
import { type OwnAddresses, ownAddresses } from './own-addresses.ts'
import { guardedService } from './ports.ts'
import { type Resolve, resolveAsTheSystem, within } from './resolver.ts'

/**
 * The reason for refusing a connection; `message` is for the author of the URL. For a name it does
 * not reveal what was found, or whether anything was: that would expose internal names.
 */
export type EgressRefusal = { kind: 'dns' | 'forbidden_address'; message: string }

/** The normalized host and its addresses, all of which are allowed. */
export type CheckedHost = { host: string; addresses: readonly string[] }

/** `isUnresolved` is internal: the name may still come to resolve. */
type Refused = { fault: EgressRefusal; isUnresolved: boolean }

export type HostCheckSettings = {
  /** Private subnets that are allowed: `config.egressAllow`. */
  allowed: readonly string[]
  own?: OwnAddresses
  resolve?: Resolve
  /** A slower lookup counts as unresolvable. */
  withinMs: number
}

type HostCheck = (url: URL) => Promise<CheckedHost | Refused>

/** Resolves the host of a URL each time; a single forbidden address refuses the host. */
export function openHostCheck({
  allowed,
  own = ownAddresses,
  resolve = resolveAsTheSystem,
  withinMs,
}: HostCheckSettings): HostCheck {
  // Cached: both are pure, and cost more than the rest of preparing a small request.
  const reach = cached((address) => reachOf(address, allowed))
  const hostAt = cached((text) => {
    const url = new URL(text)
    return readHost(url.hostname, { pointer: '', port: portOf(url), rules: { allowed, own: none } })
  })
  const resolveInTime = singleFlight(within(withinMs, resolve))

  return async (url) => {
    const port = portOf(url)
    const isOpen = (address: string) => mayConnect(reach(address), port, own)
    const read = hostAt(`http://${url.hostname}:${port}`)
    if ('fault' in read) return forbidden(url.hostname, port)
    const { host } = read
    if (!isIP(host) && own().has(host)) return forbidden(host, port)
    if (isIP(host)) return isOpen(host) ? { host, addresses: [host] } : forbidden(host, port)
    const addresses = await addressesOf(host, resolveInTime)
    const isUnresolved = addresses.length === 0
    if (isUnresolved || !addresses.every(isOpen)) {
      return { fault: leadsNowhere(host, port), isUnresolved }
    }
    return { host, addresses }
  }
}

/** The machine's own addresses change, so they are not part of the cached result. */
const none: OwnAddresses = () => new Set()

export const portOf = ({ port, protocol }: URL): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

function cached<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = new LruMap<Value>(1000)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = work(text)
    known.set(text, value)
    return value
  }
}

const forbidden = (host: string, port: number): Refused => ({
  fault: { kind: 'forbidden_address', message: `${host} ${notAllowed(port)}` },
  isUnresolved: false,
})

function leadsNowhere(host: string, port: number): EgressRefusal {
  const service = guardedService(port)
  const where = service === undefined ? '' : ` at port ${port} (${service})`
  return {
    kind: 'dns',
    message: `the name ${host} has no address that may be reached from here${where}`,
  }
}

/** Empty if it does not resolve in time. */
async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const found = await resolve(host).catch(() => [])
  return [...new Set(found)]
}
