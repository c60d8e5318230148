import { nameOf } from '../../data/choices.ts'
import type { Campaign, Schema } from '../../flightdeck.ts'

type BlockReason = Schema<'BlockReason'>
type Action = Schema<'CampaignAction'>

/** Reasons why a campaign does not deliver, or an action is not possible, in words. */
const texts: Readonly<Record<BlockReason, string>> = {
  not_launched: 'It has not been launched.',
  pending_review: 'It waits for approval.',
  before_start: 'Its start is still ahead.',
  outside_schedule: 'Its week schedule is closed at this hour.',
  after_end: 'Its end has passed.',
  paused: 'It is paused.',
  completed: 'It is completed.',
  archived: 'It is archived.',
  profile_not_active: 'Its profile is not active.',
  proxy_failing: 'The proxy of its profile is failing.',
  organization_suspended: 'The organization is suspended.',
  currency_mismatch: 'Its currency is not that of its profile.',
  approval_required: 'It needs an approval first: submit it.',
  approval_not_asked: 'The guardrails ask for no approval of it: launch it.',
  guardrail_violation: 'It breaks a guardrail.',
  spend_cap_reached: 'What it may spend is spent: raise the cap.',
  network_not_delivering: 'Its network does not deliver it.',
  network_drift: 'It was changed in its network.',
  connector_stale: 'No connector holds its account.',
  insufficient_role: 'Your role does not allow it.',
  self_approval_forbidden: 'You submitted it: another person must approve it.',
  change_set_required: 'Your organization wants it as a change set: propose it.',
}

/** A newer service may know reasons that this console does not. */
export const reasonText = (reason: BlockReason): string => texts[reason] ?? `${nameOf(reason)}.`

/** For a control that is blocked; null where nothing stands in its way. */
export const blockedText = (reasons: readonly BlockReason[]): string | null =>
  reasons.length === 0 ? null : reasons.map(reasonText).join(' ')

/** The reasons that leave no way on: where it needs a change set, its control leads to one. */
export const barring = (reasons: readonly BlockReason[]): BlockReason[] =>
  reasons.filter((reason) => reason !== 'change_set_required')

/** The reason why the action is not possible now, not even by a change set; null if it is. */
export function actionBlocked(
  { status, available_actions }: Pick<Campaign, 'status' | 'available_actions'>,
  action: Action,
): string | null {
  const found = available_actions.find((each) => each.action === action)
  if (!found) return `Not possible while its status is ${nameOf(status).toLowerCase()}.`
  return blockedText(barring(found.blocked_by))
}
