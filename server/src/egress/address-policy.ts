import ipaddr from 'ipaddr.js'
import { type Fault, fault } from '../problems/problem.ts'
import { trimEnd } from '../values/trim-end.ts'
import type { OwnAddresses } from './own-addresses.ts'
import { guardedService } from './ports.ts'

/** Where the service may connect to on behalf of a client: the only place that knows. */

/** Subnets that an operator opens although they are private (`FLIGHTDECK_EGRESS_ALLOW`). */
type Allowed = readonly string[]

export type Rules = { allowed: Allowed; own: OwnAddresses }

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Where clouds hand credentials to whoever asks: opened by no configuration. */
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

/** What an address is to us, whatever the port; `opened` by the operator for all of it. */
export type Reach = { kind: 'opened' | 'public' | 'closed'; normal: string }

/** A connection may go to this address: a literal one, or what a name resolved to. */
export const isReachable = (
  { address, port }: { address: string; port: number },
  { allowed, own }: Rules,
): boolean => mayConnect(reachOf(address, allowed), port, own)

/** Nothing but the address decides, so it may be remembered. */
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

/** IPv4 addresses inside an IPv6 one: mapped, compatible or NAT64; 6to4; Teredo, inverted. */
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

/** `::/96` and what nobody has assigned count as unicast too, so IPv6 must be in 2000::/3. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/**
 * A host as a client wrote it, in the one spelling that the network will use: lower case, ASCII,
 * addresses in dotted or colon form without brackets. A name is not resolved here: whoever connects
 * judges each address.
 */
export function readHost(
  text: string,
  { pointer, port, rules }: { pointer: string; port: number; rules: Rules },
): { host: string } | { fault: Fault } {
  const given = text.slice(0, 255)
  const host = normalHost(text)
  if (host === undefined) {
    return { fault: fault(pointer, 'invalid_format', 'is not a host name or address', { given }) }
  }
  if (isHostReachable(host, port, rules)) return { host }
  return { fault: fault(pointer, 'forbidden_host', notAllowed(port), { given }) }
}

/** What follows from host and port as they were written. */
export function notAllowed(port: number): string {
  const service = guardedService(port)
  const reason =
    service === undefined
      ? 'no loopback, private, reserved or metadata address is reached from here, nor this machine itself'
      : `port ${port} (${service}) is not reached from here`
  return `is not allowed: ${reason}`
}

/** A name that may yet resolve to what is opened is judged by whoever connects. */
function isHostReachable(host: string, port: number, { allowed, own }: Rules): boolean {
  const isOpen = (address: string) => isReachable({ address, port }, { allowed, own })
  if (ipaddr.isValid(host)) return isOpen(host)
  if (metadataNames.has(host)) return false
  const isOwnName = ownNames.has(host) || host.endsWith('.localhost')
  if (isOwnName) return loopback.some(isOpen)
  return allowed.length > 0 || guardedService(port) === undefined
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)

/** The host as the URL standard reads it: decimal, octal, hexadecimal and short forms included. */
function normalHost(text: string): string | undefined {
  const bare = /^\[[^[\]]*\]$/.test(text) ? text.slice(1, -1) : text
  if (bare.includes(':')) return normalIPv6(bare)
  if (bare !== text || /[\s/\\?#@]/.test(bare)) return undefined
  const host = URL.parse(`http://${bare}/`)?.hostname
  const plain = host && trimEnd(host, '.')
  return plain && hostName.test(plain) ? plain : undefined
}

/** Of an IPv6 address of this machine's own networks. */
const withoutZone = (address: string) => address.split('%', 1)[0] ?? address

/** Without a zone, which would name one of this machine's own networks. */
function normalIPv6(text: string): string | undefined {
  const address = withoutZone(text)
  return URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
}
