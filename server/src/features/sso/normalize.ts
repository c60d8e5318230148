import { isIP } from 'node:net'
import { readHost } from '../../egress/address-policy.ts'
import { portOf } from '../../egress/host-check.ts'
import type { Services } from '../../kernel/context.ts'
import { type Fault, fault } from '../../problems/fault.ts'

type UrlRules = Pick<Services, 'config' | 'egress'>

/** Every reason to refuse an issuer that shows without asking it. */
export function issuerFaults(text: string, rules: UrlRules): Fault[] {
  const url = URL.parse(text)
  const given = { given: text.slice(0, 255) }
  const schemes = schemesOf(rules)
  if (!url || !schemes.includes(url.protocol)) {
    const message = `must be a URL that starts with ${schemes.map((each) => `${each}//`).join(' or ')}`
    return [fault('/issuer', 'invalid_format', message, given)]
  }
  if (url.username !== '' || url.password !== '') {
    // The value is not echoed: it may contain a password.
    return [fault('/issuer', 'invalid_format', 'must not contain a user name or password')]
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    return [fault('/issuer', 'invalid_format', 'must have neither a query nor a fragment', given)]
  }
  const found = hostFault(url, rules)
  return found ? [{ ...found, ...given }] : []
}

/** Plain http is for development, as it is for webhooks. */
const schemesOf = ({ config }: UrlRules) =>
  config.webhookAllowHttp ? ['https:', 'http:'] : ['https:']

function hostFault(url: URL, { config, egress }: UrlRules): Fault | undefined {
  const rules = { allowed: config.egressAllow, own: egress.ownAddresses }
  const read = readHost(url.hostname, { pointer: '/issuer', port: portOf(url), rules })
  return 'fault' in read ? read.fault : undefined
}

/** The reason why the service may not ask this URL, which a provider has named; undefined if it may. */
export function urlRefusal(text: string, rules: UrlRules): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'is not a URL'
  if (!schemesOf(rules).includes(url.protocol)) return 'is not https'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  return hostFault(url, rules)?.message
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain in lower case and ASCII; undefined for what is none, or has a single label. */
export function domainOf(text: string): string | undefined {
  const bare = text.trim()
  if (/[\s/\\?#@:[\]%]/.test(bare)) return undefined
  const host = URL.parse(`https://${bare}/`)?.hostname
  if (host === undefined || isIP(host) !== 0) return undefined
  const labels = host.split('.')
  return labels.length > 1 && labels.every((each) => label.test(each)) ? host : undefined
}

/** The domains of a body, each once, with their faults. */
export function readDomains(sent: readonly string[]): { domains: string[]; faults: Fault[] } {
  const read = sent.map(domainOf)
  const faults = read.flatMap((domain, at) => {
    const pointer = `/domains/${at}`
    const given = { given: sent[at] }
    if (domain === undefined) {
      const message = 'must be a domain with at least two labels, such as acme.example'
      return [fault(pointer, 'invalid_format', message, given)]
    }
    const isTwice = read.indexOf(domain) < at
    return isTwice ? [fault(pointer, 'duplicate_item', 'is listed twice', given)] : []
  })
  return { domains: read.flatMap((domain) => domain ?? []).sort(), faults }
}
