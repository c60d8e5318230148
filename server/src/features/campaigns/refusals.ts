import type { Constraints } from '../../http/endpoint.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'
import type { Action, Status } from './lifecycle/transitions.ts'

/** What the database refuses, in words. */
export const campaignRefusals: Constraints = {
  campaigns_external_id_key: () => externalIdTaken('campaign'),
}

/** Nothing that is launched or resumed may do without an approval. */
export const unapproved = (current: { current_status: Status; action: Action }) =>
  conflict('approval_required', 'The campaign needs an approval first: submit it.', {
    ...current,
    allowed_actions: ['submit'] satisfies Action[],
  })

/** What runs cannot be submitted as it is: the way there is by a pause. */
export const beyondApproved = (current: { current_status: string }) =>
  conflict(
    'approval_required',
    'This is beyond what was approved: pause the campaign, change it, and submit it.',
    { ...current, allowed_actions: ['pause'] satisfies Action[] },
  )
