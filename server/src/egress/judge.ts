import { isIP } from 'node:net'
import { LruMap } from 'toad-cache'
import { singleFlight } from '../concurrency/single-flight.ts'
import { mayConnect, notAllowed, reachOf, readHost } from './address-policy.ts'
import { type OwnAddresses, ownAddresses } from './own-addresses.ts'
import { guardedService } from './ports.ts'
import { type Resolve, resolveAsTheSystem, within } from './resolver.ts'

/**
 * Why nothing may connect: `message` is for whoever wrote the URL. Of a name it does not say what was
 * found, or whether anything was: names that only resolve inside would show how it looks there.
 */
export type EgressRefusal = { kind: 'dns' | 'forbidden_address'; message: string }

/** The host as it is meant, and its addresses, all of which may be reached. */
export type CheckedHost = { host: string; addresses: readonly string[] }

/** Whether the name may still come to resolve is for us alone. */
type Refused = { fault: EgressRefusal; isUnresolved: boolean }

export type HostCheckSettings = {
  /** Subnets that are open although private: `config.egressAllow`. */
  allowed: readonly string[]
  own?: OwnAddresses
  resolve?: Resolve
  /** A name that takes longer counts as one that does not resolve. */
  withinMs: number
}

type HostCheck = (url: URL) => Promise<CheckedHost | Refused>

/** Resolves the host of a URL anew each time; one address that is forbidden forbids them all. */
export function openHostCheck({
  allowed,
  own = ownAddresses,
  resolve = resolveAsTheSystem,
  withinMs,
}: HostCheckSettings): HostCheck {
  // Both are pure, and cost more than the rest of a small request's preparation.
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
    if (isIP(host)) return isOpen(host) ? { host, addresses: [host] } : forbidden(host, port)
    const addresses = await addressesOf(host, resolveInTime)
    const isUnresolved = addresses.length === 0
    if (isUnresolved || !addresses.every(isOpen)) {
      return { fault: leadsNowhere(host, port), isUnresolved }
    }
    return { host, addresses }
  }
}

/** Those of this machine come and go: nothing that is remembered knows them. */
const none: OwnAddresses = () => new Set()

export const portOf = ({ port, protocol }: URL): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

function cached<Value>(judge: (text: string) => Value): (text: string) => Value {
  const known = new LruMap<Value>(1000)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = judge(text)
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

/** None where it does not resolve, or not in time. */
async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const found = await resolve(host).catch(() => [])
  return [...new Set(found)]
}
