import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Addresses of this machine, each in the spelling of `toNormalizedString`. */
export type OwnAddresses = () => ReadonlySet<string>

/** They change seldom, and asking costs more than a judgement. */
const keptMs = 5_000

/** All of its interfaces', public ones included: what listens there may trust whoever is on the machine. */
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
