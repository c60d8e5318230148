import ipaddr from 'ipaddr.js'
import { type Fault, fault } from '../problems/fault.ts'
import { trimEnd } from '../values/trim-end.ts'
import type { OwnAddresses } from './own-addresses.ts'
import { guardedService } from './ports.ts'

/** Decides to which addresses the service may connect on behalf of a client; nothing else does. */

/** Private subnets allowed by the operator (`FLIGHTDECK_EGRESS_ALLOW`). */
type Allowed = readonly string[]

export type AddressRules = { allowed: Allowed; own: OwnAddresses }

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Cloud metadata services hand out credentials; never allowed by configuration. */
const metadataAddresses = [
  '169.254.169.254', // AWS, Azure, Google, and most others
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure's host
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS
  'fd20:ce::254', // Google
].map((text) => ipaddr.parse(text).toNormalizedString())

const metadataNames = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
])

const ownNames = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])
const loopback = ['127.0.0.1', '::1']

/** The class of an address on any port; `opened`: allowed by the operator. */
export type Reach = { kind: 'opened' | 'public' | 'closed'; normal: string }

/** Whether a connection to this address is allowed, whether literal or resolved. */
export const isReachable = (
  { address, port }: { address: string; port: number },
  { allowed, own }: AddressRules,
): boolean => mayConnect(reachOf(address, allowed), port, own)

/** Depends on the address only, so it can be cached. */
export function reachOf(address: string, allowed: Allowed): Reach {
  const text = withoutZone(address)
  if (!ipaddr.isValid(text)) return { kind: 'closed', normal: text }
  const literal = ipaddr.parse(text)
  const normal = literal.toNormalizedString()
  if ([literal, ...embeddedIPv4(literal)].some(isMetadata)) return { kind: 'closed', normal }
  const isOpened = isIn(ipaddr.process(text), allowed) || isIn(literal, allowed)
  if (isOpened) return { kind: 'opened', normal }
  return { kind: isPublic(literal) ? 'public' : 'closed', normal }
}

export function mayConnect({ kind, normal }: Reach, port: number, own: OwnAddresses): boolean {
  if (kind !== 'public') return kind === 'opened'
  return guardedService(port) === undefined && !own().has(normal)
}

const isMetadata = (address: Address) => metadataAddresses.includes(address.toNormalizedString())

/** IPv4 addresses embedded in IPv6: mapped, compatible, NAT64, 6to4, and Teredo (inverted). */
function embeddedIPv4(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  const bytes = address.toByteArray()
  const last = bytes.slice(12)
  return [last, bytes.slice(2, 6), last.map((byte) => byte ^ 255)].map(
    (four) => new ipaddr.IPv4(four),
  )
}

function isIn(address: Address, subnets: Allowed): boolean {
  return subnets.some((text) => {
    const [subnet, bits] = subnetOf(text)
    return subnet.kind() === address.kind() && address.match(subnet, bits)
  })
}

function subnetOf(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** `::/96` and unassigned ranges count as unicast too, so IPv6 must be in 2000::/3. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/**
 * Normalizes a host to the spelling used on the network: lower case, ASCII, addresses in dotted or
 * colon form without brackets. Does not resolve names: each connection checks its addresses.
 */
export function readHost(
  text: string,
  { pointer, port, rules }: { pointer: string; port: number; rules: AddressRules },
): { host: string } | { fault: Fault } {
  const given = text.slice(0, 255)
  const host = normalHost(text)
  if (host === undefined) {
    return { fault: fault(pointer, 'invalid_format', 'is not a host name or address', { given }) }
  }
  if (isHostReachable(host, port, rules)) return { host }
  return { fault: fault(pointer, 'forbidden_host', notAllowed(port), { given }) }
}

/** The reason for refusing an address or port. */
export function notAllowed(port: number): string {
  const service = guardedService(port)
  const reason =
    service === undefined
      ? 'loopback, private, reserved and metadata addresses, and the server itself, cannot be reached'
      : `port ${port} (${service}) cannot be reached`
  return `is not allowed: ${reason}`
}

/** A name is checked again at each connection. */
function isHostReachable(host: string, port: number, { allowed, own }: AddressRules): boolean {
  const isOpen = (address: string) => isReachable({ address, port }, { allowed, own })
  if (ipaddr.isValid(host)) return isOpen(host)
  if (metadataNames.has(host) || own().has(host)) return false
  const isOwnName = ownNames.has(host) || host.endsWith('.localhost')
  if (isOwnName) return loopback.some(isOpen)
  return allowed.length > 0 || guardedService(port) === undefined
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)

/**
 * Parses the host as the URL standard does: including decimal, octal, hexadecimal and short forms.
 */
function normalHost(text: string): string | undefined {
  const bare = /^\[[^[\]]*\]$/.test(text) ? text.slice(1, -1) : text
  if (bare.includes(':')) return normalIPv6(bare)
  if (bare !== text || /[\s/\\?#@]/.test(bare)) return undefined
  const host = URL.parse(`http://${bare}/`)?.hostname
  const plain = host && trimEnd(host, '.')
  return plain && hostName.test(plain) ? plain : undefined
}

/** The zone names a local network of this machine. */
const withoutZone = (address: string) => address.split('%', 1)[0] ?? address

/** Without a zone, which names a local network of this machine. */
function normalIPv6(text: string): string | undefined {
  const address = withoutZone(text)
  return URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
}
