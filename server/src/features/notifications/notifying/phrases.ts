import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { hasKey, memberOf } from '../../../values/objects.ts'

type Notified = LedgerEvent['data']

const phrases = {
  'change_set.created': 'waits for approval',
  'change_set.refreshed': 'waits for approval again',
  'change_set.updated': 'waits for approval again',
  'change_set.failed': 'could not be applied',
  'change_set.reverted': 'was set back',
  'change_set.expired': 'was not applied in time',
  'campaign.submitted': 'waits for approval',
  'pacing.stale': 'has had no report for a day',
  'deployment.drifted': 'runs with other values in its network',
  'deployment.blocked': 'cannot be brought to its network',
  'deployment.failed': 'did not reach its network; it is tried again',
  'profile.credential_expiring': 'will soon lose access to its account',
  'profile.disconnected': 'has lost its connection',
  'webhook_endpoint.failing': 'does not take its events',
  'report_schedule.failed': 'was not sent',
} satisfies Record<string, string>

/** Says what happened to an object, as the end of a sentence. */
export function phraseOf(type: string, notified: Notified): string {
  if (type.startsWith('change_set.') && !waits(notified.object) && opens.has(type))
    return general(type)
  if (type === 'pacing.changed' || type === 'client.pacing_changed') return pacing(notified)
  if (type === 'campaign.paused' && isCapReached(notified.object))
    return 'reached its cap and was paused'
  if (type.endsWith('.disabled')) return disabled(notified.object)
  if (type === 'member.updated') return member(notified)
  return hasKey(phrases, type) ? phrases[type] : general(type)
}

const opens = new Set(['change_set.created', 'change_set.refreshed', 'change_set.updated'])

/** Whether a change set waits for someone else. */
export const waits = (object: Notified['object']): boolean =>
  object.status === 'open' && memberOf(object.approval, 'required') === true

export const isCapReached = ({ status_reason }: Notified['object']): boolean =>
  typeof status_reason === 'string' && status_reason.endsWith('cap_reached')

function general(type: string): string {
  const done = type.slice(type.lastIndexOf('.') + 1).replaceAll('_', ' ')
  return done.includes(' ') ? `: ${done}` : `was ${done}`
}

const paces = {
  over: 'spends more than planned',
  under: 'spends less than planned',
  critical: 'spends far more than planned',
  on_track: 'is on track again',
  stale: 'has had no report for a day',
  exhausted: 'has spent what was planned',
} satisfies Record<string, string>

function pacing({ object }: Notified): string {
  const status = String(object.status)
  return hasKey(paces, status) ? paces[status] : `: pacing is ${status.replaceAll('_', ' ')}`
}

const causes = {
  failing: ': it failed for too long',
  gone: ': it is gone',
  insufficient_role: ': who switched it on may not send reports any more',
  out_of_scope: ': who switched it on does not see the report any more',
} satisfies Record<string, string>

function disabled({ disabled_reason }: Notified['object']): string {
  const reason = String(disabled_reason)
  return `was switched off${hasKey(causes, reason) ? causes[reason] : ''}`
}

function member({ object, previous }: Notified): string {
  if (previous?.second_factor === true) return 'has no second factor any more'
  if (previous && 'disabled' in previous)
    return object.disabled ? 'was locked out' : 'may log in again'
  return previous && 'role' in previous ? 'has another role' : 'was updated'
}
