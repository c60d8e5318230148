import { readHost } from '../egress/address-policy.ts'
import { openHostCheck, portOf } from '../egress/host-check.ts'
import type { Services } from '../kernel/context.ts'
import { unknownEvent } from '../kernel/event-types.ts'
import { isSubscribed } from '../kernel/outbox.ts'
import { type Fault, fault } from '../problems/fault.ts'

/** URLs that clients choose, to be posted to, and the events that they choose for them. */

export const maxUrlLength = 2048

type UrlRules = Pick<Services, 'config' | 'egress'>

/** Every reason to refuse this URL that shows without resolving its name. */
export function urlFaults(
  text: string,
  { config, egress }: UrlRules,
  { pointer = '/url', isSecret = false } = {},
): Fault[] {
  const url = URL.parse(text)
  const schemes = config.webhookAllowHttp ? ['https:', 'http:'] : ['https:']
  const given = isSecret ? {} : { given: text.slice(0, 255) }
  if (!url || !schemes.includes(url.protocol)) {
    const allowed = schemes.map((scheme) => `${scheme}//`)
    const message = `must be a URL that starts with ${allowed.join(' or ')}`
    return [fault(pointer, 'invalid_format', message, { allowed, ...given })]
  }
  if (url.port === '0') return [fault(pointer, 'invalid_format', 'must not name port 0', given)]
  if (url.username !== '' || url.password !== '') {
    // The value is not echoed: it may contain a password.
    return [fault(pointer, 'forbidden_host', 'must not contain a user name or password')]
  }
  if (storedUrl(text).length > maxUrlLength) {
    const message = `has at most ${maxUrlLength} characters, percent-encoded`
    return [fault(pointer, 'too_long', message, { limit: maxUrlLength })]
  }
  const rules = { allowed: config.egressAllow, own: egress.ownAddresses }
  const read = readHost(url.hostname, { pointer, port: portOf(url), rules })
  return 'fault' in read ? [withoutGiven(read.fault, given)] : []
}

const withoutGiven = ({ given: _, ...fault }: Fault, given: object): Fault => ({
  ...fault,
  ...given,
})

const resolveTimeoutMs = 2_000

/**
 * Faults of the addresses the name resolves to. An unresolvable name passes: each attempt checks
 * again.
 */
export async function nameFaults(
  text: string,
  services: UrlRules,
  { pointer = '/url', isSecret = false } = {},
): Promise<Fault[]> {
  const url = URL.parse(text)
  if (!url || urlFaults(text, services).length > 0) return []
  const { config, egress } = services
  const judge = openHostCheck({
    allowed: config.egressAllow,
    own: egress.ownAddresses,
    resolve: egress.resolve,
    withinMs: resolveTimeoutMs,
  })
  const found = await judge(url)
  if (!('fault' in found) || found.isUnresolved) return []
  const given = isSecret ? {} : { given: text.slice(0, 255) }
  return [fault(pointer, 'forbidden_host', found.fault.message, given)]
}

/** Without its fragment, which is never sent, and in ASCII: `https://bücher.example` has a host `xn--…`. */
export function storedUrl(text: string): string {
  const url = text.split('#', 1)[0] ?? text
  return isAscii.test(url) ? url : (URL.parse(url)?.href ?? url)
}

const isAscii = /^[\x20-\x7e]*$/

/** `*`, `<resource>.*`, or an existing event type. */
export function eventFaults(events: readonly string[], types: readonly string[]): Fault[] {
  return events.flatMap((name, at) => {
    const isKnown = types.some((type) => isSubscribed([name], type))
    return isKnown ? [] : [{ pointer: `/events/${at}`, ...unknownEvent(name, types) }]
  })
}
