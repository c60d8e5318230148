import type { Constraints } from '../../http/feature.ts'
import type { EvenWhenFull } from '../../kernel/storage.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'
import type { Action, Status } from './lifecycle/transitions.ts'

/** Problems for violated database constraints. */
export const campaignRefusals: Constraints = {
  campaigns_external_id_key: () => externalIdTaken('campaign'),
}

/** The problems that an update may have. */
export const ofUpdates = [
  'external_id_taken',
  'guardrail_violation',
  'approval_required',
  'change_set_required',
] as const

/** A full storage keeps no one from stopping a campaign, or putting it away. */
export const evenWhenFull: EvenWhenFull = {
  'campaign.paused': true,
  'campaign.kept_paused': true,
  'campaign.unscheduled': true,
  'campaign.withdrawn': true,
  'campaign.rejected': true,
  'campaign.completed': true,
  'campaign.archived': true,
  'campaign.deleted': true,
}

/** Launching or resuming requires an approval. */
export const unapproved = (current: { current_status: Status; action: Action }) =>
  conflict('approval_required', 'The campaign needs approval first: submit it.', {
    ...current,
    allowed_actions: ['submit'] satisfies Action[],
  })

/** A running campaign cannot be submitted; it has to be paused first. */
export const beyondApproved = (current: { current_status: string }) =>
  conflict(
    'approval_required',
    'This exceeds the approval: pause the campaign, change it and submit it.',
    { ...current, allowed_actions: ['pause'] satisfies Action[] },
  )
