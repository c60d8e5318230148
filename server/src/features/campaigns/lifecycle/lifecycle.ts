/** Applies the tables in transitions.ts to one campaign. Pure: depends on its facts only. */

import type { Schedule } from '../schedule/dayparting.ts'
import type { ApprovalState } from './approval.ts'
import {
  type Action,
  type Performer,
  type Reason,
  type Status,
  type TargetStatus,
  type TimedTransition,
  type Transition,
  timedTransitions,
  transitions,
} from './transitions.ts'

/**
 * The inputs of the lifecycle, derived once per row. Times are RFC 3339 UTC strings, which sort
 * chronologically.
 */
export type LifecycleFacts = {
  status: Status
  statusBeforeArchive: Status | null
  statusBeforeReview: Status | null
  approval: ApprovalState
  /** Whether the organization asks for approvals at all. */
  usesApprovals: boolean
  startAt: string | null
  endAt: string | null
  schedule: Schedule
  timeZone: string
  /** Conditions outside the campaign's own status that keep it from running. */
  obstacles: readonly Reason[]
  /** Reasons why the service has paused it, where they show beside its status. */
  stoppedBy: readonly Reason[]
  /** Reasons that say what its network does, beside what it may do. */
  inNetwork: readonly Reason[]
  /** The performer roles that the caller lacks. */
  deniedAs: readonly Performer[]
  /** Actions that the caller has to propose as a change set. */
  toPropose: readonly Action[]
  /** Whether the caller made the submission that waits. */
  isOwnSubmission: boolean
}

/** The timed transition that is due now, if any. */
export function dueTransition(facts: LifecycleFacts, now: string): TimedTransition | undefined {
  const times = { start_at: facts.startAt, end_at: facts.endAt }
  return timedTransitions.find(({ at, from }: TimedTransition) => {
    const time = times[at]
    return time !== null && time <= now && from.includes(facts.status)
  })
}

/** The status the action leads to. */
export function targetOf({ to }: Transition, facts: LifecycleFacts, now: string): Status {
  if (to === 'running')
    return facts.startAt !== null && facts.startAt > now ? 'scheduled' : 'active'
  if (to === 'former') return facts.statusBeforeArchive ?? 'draft'
  if (to === 'unreviewed') return facts.statusBeforeReview ?? 'draft'
  return to
}

const resultingStatus: Record<TargetStatus, readonly Status[]> = {
  running: ['scheduled', 'active'],
  former: [],
  unreviewed: [],
  draft: ['draft'],
  pending_review: ['pending_review'],
  scheduled: ['scheduled'],
  active: ['active'],
  paused: ['paused'],
  completed: ['completed'],
  archived: ['archived'],
}

/** The action has already taken effect: it succeeds and changes nothing. */
export const isAlreadyThere = ({ to, once }: Transition, status: Status): boolean =>
  !once && resultingStatus[to].includes(status)

/** The approval condition that blocks the action, if any. */
export function approvalObstacle(
  { approval: rule }: Transition,
  state: ApprovalState,
): 'approval_required' | 'approval_not_asked' | null {
  if (rule === 'needed' && state === 'missing') return 'approval_required'
  return rule === 'asked' && state === 'not_asked' ? 'approval_not_asked' : null
}

/** Names of the actions available from a status. */
export const actionsFrom = (status: Status, approval: ApprovalState): Action[] =>
  transitions
    .filter((each) => each.from.includes(status) && approvalObstacle(each, approval) === null)
    .map(({ action }) => action)
