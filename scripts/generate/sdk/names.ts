/** Names of the SDK's methods: `launchCampaign` on `/campaigns/…` is `campaigns.launch`. */

import type { Operation } from './document.ts'

export const camel = (text: string): string =>
  text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const pascal = (text: string): string => camel(`_${text}`)

/** The first segment of the path: `webhook_endpoints`. */
const segmentOf = ({ path }: Operation): string => path.split('/')[1] ?? ''

/** `campaigns`, `webhookEndpoints`. */
export const resourceOf = (operation: Operation): string => camel(segmentOf(operation))

const singular = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '')

/** Names that would say the resource in another way. */
const special: Readonly<Record<string, string>> = {
  getMe: 'me',
  getReferenceEvents: 'getEvents',
  verifyAuditLogs: 'verify',
  exportAuditLogs: 'export',
  listAuditCheckpoints: 'listCheckpoints',
  listWebhookDeliveries: 'listDeliveries',
  getWebhookDelivery: 'getDelivery',
  redeliverWebhookDelivery: 'redeliver',
  moveSandboxClock: 'moveClock',
}

/** The operation's id without its resource: `launch`, `list`, `getHistory`. */
export function methodOf(operation: Operation): string {
  const { id } = operation
  const known = special[id]
  if (known) return known
  const plural = pascal(segmentOf(operation))
  return id.replace(plural, '').replace(singular(plural), '') || id
}

/** The name of a path's id as a parameter: `campaign`, `delivery`. */
export function idNamesOf({ path }: Operation): string[] {
  const segments = path.split('/')
  return segments.flatMap((segment, at) =>
    segment.startsWith('{') ? [camel(singular(segments[at - 1] ?? ''))] : [],
  )
}
