/** Whether an action may be taken, and the status it leads to. Pure. */

import { approvalObstacle, type LifecycleFacts, targetOf } from './lifecycle.ts'
import type { Status, Transition } from './transitions.ts'

/** Facts about the caller that are not on the row. */
export type Caller = {
  now: string
  /** Whether the request says which version the action is for. */
  namesVersion: boolean
  /** Looked up only for actions on a submission. */
  isSubmitter: boolean
  mayWithdrawAny: boolean
}

export type Refused =
  | 'not_approver'
  | 'version_not_named'
  | 'wrong_status'
  | 'approval_required'
  | 'approval_not_asked'
  | 'own_submission'
  | 'not_submitter'
  | 'blocked'

export type Verdict = { to: Status } | { refused: Refused }

/** The first refusal in this order, or the status that the action leads to. */
export function decide(transition: Transition, facts: LifecycleFacts, caller: Caller): Verdict {
  const { action, by, from, namesVersion, checked } = transition
  const { status, approval, obstacles, deniedAs } = facts
  const { isSubmitter, mayWithdrawAny } = caller
  if (by === 'approver' && deniedAs.includes('approver')) return { refused: 'not_approver' }
  if (namesVersion && !caller.namesVersion) return { refused: 'version_not_named' }
  if (!from.includes(status)) return { refused: 'wrong_status' }
  const missing = approvalObstacle(transition, approval)
  if (missing) return { refused: missing }
  if (action === 'approve' && isSubmitter) return { refused: 'own_submission' }
  if (by === 'submitter' && !isSubmitter && !mayWithdrawAny) return { refused: 'not_submitter' }
  if (checked && obstacles.length > 0) return { refused: 'blocked' }
  return { to: targetOf(transition, facts, caller.now) }
}
