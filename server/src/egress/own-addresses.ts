import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Addresses of this machine, as `toNormalizedString` writes them. */
export type OwnAddresses = () => ReadonlySet<string>

/** They rarely change, and reading them costs more than a check. */
const keptMs = 5_000

/** All interfaces, public ones included: local services may trust connections from this machine. */
export function ownAddressesOf(read = networkInterfaces): OwnAddresses {
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - readAt < keptMs) return known
    const found = Object.values(read()).flatMap((each) => each ?? [])
    known = new Set(found.map(({ address }) => ipaddr.parse(address).toNormalizedString()))
    readAt = now
    return known
  }
}

export const ownAddresses = ownAddressesOf()
