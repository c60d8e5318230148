import { resourceTypeOf } from '../../../kernel/event-types.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { memberOf } from '../../../values/objects.ts'
import type { Category } from '../resource.ts'
import { isCapReached, waits } from './phrases.ts'

/** Addressees of an event, of those who may read it. */
export type Addressees =
  | { to: 'all' }
  | { to: 'managers'; and: string | null }
  | { to: 'approvers'; roles: readonly string[] | null; but: string | null }
  | { to: 'author'; id: string | null }

export type Rule = { readonly category: Category } & Addressees

/** Finds whom an event is for; undefined where no one is notified of it. */
export function ruleOf(event: LedgerEvent): Rule | undefined {
  const { type, data } = event
  const { object } = data
  if (isWaiting(event)) {
    const [roles, but] = [rolesIn(object.approval), authorOf(object)]
    return { category: 'approvals_waiting', to: 'approvers', roles, but }
  }
  if (outcomes.has(type)) return { category: 'my_change_sets', to: 'author', id: authorOf(object) }
  if (pacing.has(type) && isOff(event)) return { category: 'pacing', to: 'all' }
  if (type === 'campaign.paused' && isCapReached(object)) return { category: 'pacing', to: 'all' }
  if (networks.has(type)) return { category: 'deployments', to: 'all' }
  if (isSecurity(event)) return { category: 'security', to: 'managers', and: makerOf(event) }
  return undefined
}

const outcomes = new Set([
  ...['approved', 'rejected', 'applied', 'failed', 'reverted', 'expired', 'cancelled'].map(
    (done) => `change_set.${done}`,
  ),
  ...['campaign.approved', 'campaign.rejected'],
])

const pacing = new Set(['pacing.changed', 'pacing.stale', 'client.pacing_changed'])

const off = new Set(['over', 'under', 'critical', 'stale', 'exhausted'])

/** Whether the pacing is off, or is so no more: too few figures are no news. */
const isOff = ({ data: { object, previous } }: LedgerEvent): boolean =>
  off.has(String(object.status)) ||
  (object.status === 'on_track' && off.has(String(previous?.status)))

const networks = new Set([
  ...['deployment.drifted', 'deployment.blocked'],
  ...['profile.credential_expiring', 'profile.disconnected'],
])

const mayMatter = new Set([
  ...['change_set.created', 'change_set.refreshed', 'change_set.updated'],
  ...['campaign.submitted', 'campaign.paused'],
  ...['api_key.created', 'api_key.stopped', 'member.created', 'member.deleted', 'member.updated'],
  ...['webhook_endpoint.disabled', 'notification_channel.disabled'],
  ...['report_schedule.disabled', 'report_schedule.failed'],
])

/** The types that people may be notified of: events of others are not looked at. */
export const notifiedTypes: readonly string[] = [...outcomes, ...pacing, ...networks, ...mayMatter]

const isNotified = new Set(notifiedTypes)

export const isNotifiedOf = (type: string): boolean => isNotified.has(type)

function isWaiting({ type, data: { object, previous } }: LedgerEvent): boolean {
  if (type === 'campaign.submitted') return true
  if (type === 'change_set.created') return waits(object)
  const isVoid = previous !== null && ('approved_by' in previous || 'status' in previous)
  return (
    (type === 'change_set.refreshed' || type === 'change_set.updated') && isVoid && waits(object)
  )
}

function rolesIn(approval: unknown): readonly string[] | null {
  const roles = memberOf(approval, 'approver_roles')
  return Array.isArray(roles) ? roles : null
}

/** The person or key that proposed it. */
function authorOf(object: LedgerEvent['data']['object']): string | null {
  const id = memberOf(object.review, 'submitted_by') ?? object.created_by
  return typeof id === 'string' ? id : null
}

/** Changes of members that give or take access. */
const access = ['role', 'disabled', 'scope'] as const

function isSecurity({ type, data: { previous } }: LedgerEvent): boolean {
  if (type !== 'member.updated') return mayMatter.has(type) && !openTypes.test(type)
  return previous?.second_factor === true || access.some((field) => field in (previous ?? {}))
}

const openTypes = /^(?:change_set|campaign)\./

/** The maker of what sends no more, who is notified, too. */
function makerOf({ type, data: { object } }: LedgerEvent): string | null {
  const isSender = senders.test(resourceTypeOf(type))
  return isSender && typeof object.created_by === 'string' ? object.created_by : null
}

const senders = /^(?:webhook_endpoint|notification_channel|report_schedule)$/
