import type { Feature } from '../http/endpoint.ts'
import type { Reactions } from '../kernel/context.ts'
import { apiKeys } from './api-keys/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { auth } from './auth/routes.ts'
import { campaigns } from './campaigns/routes.ts'
import { eventsAbout } from './events/routes.ts'
import { guardrails } from './guardrails/routes.ts'
import { members } from './members/routes.ts'
import { organizations } from './organizations/routes.ts'
import { profiles } from './profiles/routes.ts'
import { proxies } from './proxies/routes.ts'
import { reference } from './reference/routes.ts'
import { sandbox } from './sandbox/routes.ts'
import { templates } from './templates/routes.ts'
import { webhookEndpoints } from './webhook-endpoints/routes.ts'

const featuresWithEvents: readonly Feature[] = [
  auth,
  organizations,
  guardrails,
  members,
  apiKeys,
  campaigns,
  profiles,
  proxies,
  templates,
  webhookEndpoints,
  sandbox,
]

/** The event types of all resources. */
export const eventTypes = featuresWithEvents.flatMap(({ events = [] }) => events)

/** The product's table of contents. */
export const features: readonly Feature[] = [
  ...featuresWithEvents,
  eventsAbout(eventTypes),
  auditLogs,
  reference,
]

export const allEventTypes = (): readonly string[] =>
  eventTypes.flatMap(({ types }) => Object.keys(types))

/** Reactions to changes in other features, by action. */
export function allReactions(): Reactions {
  const pairs = features.flatMap(({ reactions = {} }) => Object.entries(reactions))
  const grouped = Map.groupBy(pairs, ([action]) => action)
  return Object.fromEntries(
    [...grouped].map(([action, group]) => [action, group.map(([, reaction]) => reaction)]),
  )
}
