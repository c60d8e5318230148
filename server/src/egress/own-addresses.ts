import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { trimEnd } from '../values/trim-end.ts'

/** Addresses of this machine, as `toNormalizedString` writes them; and the service's public name. */
export type OwnAddresses = () => ReadonlySet<string>

/**
 * Requests to the public URL would come back, through whatever proxy has that name. Names of this
 * machine are left to what the operator has opened.
 */
export function withPublicHost(own: OwnAddresses, publicUrl: string | null): OwnAddresses {
  const host = publicUrl === null ? null : hostOf(publicUrl)
  if (host === null || /(?:^|\.)localhost$/.test(host)) return own
  let seen: ReadonlySet<string> | undefined
  let all: ReadonlySet<string> = new Set()
  return () => {
    const now = own()
    if (now !== seen) all = new Set([...now, host])
    seen = now
    return all
  }
}

function hostOf(url: string): string {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? ipaddr.parse(host).toNormalizedString() : trimEnd(host, '.')
}

/**
 * The time for which addresses are kept: they rarely change, and reading them costs more than a
 * check.
 */
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
