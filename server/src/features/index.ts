import type { SealedTable } from '../crypto/sealed-table.ts'
import { sealedSigningKeys } from '../crypto/signing-keys.ts'
import type { Feature } from '../http/feature.ts'
import type { AtCommit, Reactions } from '../kernel/context.ts'
import { sealedReplies } from '../kernel/idempotency.ts'
import type { OnRefusal } from '../kernel/people.ts'
import type { Cap } from '../kernel/quotas.ts'
import type { EvenWhenFull } from '../kernel/storage.ts'
import { sealedMails } from '../mail/post.ts'
import { apiKeys } from './api-keys/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { auth } from './auth/routes.ts'
import { campaigns } from './campaigns/routes.ts'
import { changeSets } from './change-sets/routes.ts'
import { clients } from './clients/routes.ts'
import { connectors } from './deployments/connector/routes.ts'
import { deployments } from './deployments/routes.ts'
import { eventsAbout } from './events/routes.ts'
import { guardrails } from './guardrails/routes.ts'
import { invitations } from './invitations/routes.ts'
import { refusedWhenFull } from './limits/refused-when-full.ts'
import { limitsAbout, storageWarnings } from './limits/routes.ts'
import { storageMeter } from './limits/storage.ts'
import { members } from './members/routes.ts'
import { notificationChannels } from './notifications/channels/routes.ts'
import { notificationsAbout } from './notifications/routes.ts'
import { organizations } from './organizations/routes.ts'
import { profiles } from './profiles/routes.ts'
import { proxies } from './proxies/routes.ts'
import { reference } from './reference/routes.ts'
import { reports } from './reports/routes.ts'
import { results } from './results/routes.ts'
import { sandboxOf } from './sandbox/routes.ts'
import { scim } from './scim/routes.ts'
import { sso } from './sso/routes.ts'
import { templates } from './templates/routes.ts'
import { views } from './views/routes.ts'
import { webhookEndpoints } from './webhook-endpoints/routes.ts'

/** The resources of organizations. A feature is listed before those that its tables refer to. */
const resources: readonly Feature[] = [
  scim,
  auth,
  organizations,
  sso,
  guardrails,
  members,
  invitations,
  apiKeys,
  reports,
  results,
  changeSets,
  deployments,
  connectors,
  campaigns,
  profiles,
  clients,
  proxies,
  templates,
  views,
  webhookEndpoints,
  notificationChannels,
]

const withEvents = [...resources, storageWarnings, sandboxOf(resources)]

/** The event types of all resources. */
export const eventTypes = withEvents.flatMap(({ events = [] }) => events)

const withRecords = [
  ...withEvents,
  eventsAbout(eventTypes),
  notificationsAbout(eventTypes),
  auditLogs,
]

/** The product's table of contents. */
export const features: readonly Feature[] = [
  ...withRecords,
  limitsAbout(withRecords),
  reference,
].map(refusedWhenFull)

export const allEvenWhenFull = (): EvenWhenFull =>
  Object.assign({}, ...features.map(({ evenWhenFull }) => evenWhenFull))

/** Measures what the features store. */
export const openStorageMeter = () => storageMeter(features.flatMap(({ tables = [] }) => tables))

/** All caps, those counted in the head first. */
export function allCaps(): readonly Cap[] {
  const caps = features.flatMap(({ cap }) => cap ?? [])
  return [...caps.filter(({ countSql }) => !countSql), ...caps.filter(({ countSql }) => countSql)]
}

/** Everything that is sealed under the master key. */
export const allSealed = (): readonly SealedTable[] => [
  sealedSigningKeys,
  sealedReplies,
  sealedMails,
  ...features.flatMap(({ sealed }) => sealed ?? []),
]

export const allEventTypes = (): readonly string[] =>
  eventTypes.flatMap(({ types }) => Object.keys(types))

/** The event types that make a version of their object. */
export const allVersionTypes = (): readonly string[] =>
  eventTypes.flatMap(({ types, makesNoVersion }) => (makesNoVersion ? [] : Object.keys(types)))

export const allAtCommit = (): readonly AtCommit[] =>
  features.flatMap(({ atCommit }) => atCommit ?? [])

export const allOnRefusal = (): readonly OnRefusal[] =>
  features.flatMap(({ onRefusal }) => onRefusal ?? [])

/** Reactions to changes in other features, by action. */
export function allReactions(): Reactions {
  const pairs = features.flatMap(({ reactions = {} }) => Object.entries(reactions))
  const grouped = Map.groupBy(pairs, ([action]) => action)
  return Object.fromEntries(
    [...grouped].map(([action, group]) => [action, group.map(([, reaction]) => reaction)]),
  )
}
