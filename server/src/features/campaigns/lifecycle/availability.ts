/** Lists the actions that a campaign allows. Pure. */

import { approvalObstacle, type LifecycleFacts } from './lifecycle.ts'
import {
  type Action,
  type BlockReason,
  type CallerReason,
  callerReasons,
  type Reason,
  type Transition,
  transitions,
} from './transitions.ts'

export type AvailableAction = { action: Action; allowed: boolean; blocked_by: BlockReason[] }

/** The actions available in the status, whether each is allowed now, and what blocks it. */
export function availableActions(facts: LifecycleFacts): AvailableAction[] {
  const { status, approval, usesApprovals, obstacles } = facts
  const { deniedAs, toPropose, isOwnSubmission } = facts
  const ofCaller = `${deniedAs} ${toPropose} ${isOwnSubmission}`
  const key = `${status} ${approval} ${usesApprovals} ${obstacles} ${ofCaller}`
  const known = knownActions.get(key)
  if (known) return known
  const made = transitions
    .filter(
      ({ from, approval }) => from.includes(status) && (usesApprovals || approval !== 'asked'),
    )
    .map((transition) => availableAction(transition, facts))
  knownActions.set(key, made)
  return made
}

// Cached: few combinations exist, and every listed campaign needs one.
const knownActions = new Map<string, AvailableAction[]>()

function availableAction(transition: Transition, facts: LifecycleFacts): AvailableAction {
  const { action, checked } = transition
  const missing = approvalObstacle(transition, facts.approval)
  const blocked_by: BlockReason[] = [
    ...callerObstacles(transition, facts),
    ...(missing ? [missing] : []),
    ...facts.obstacles.filter((reason) => checked || stopsEverything(reason)),
  ]
  return { action, allowed: blocked_by.length === 0, blocked_by }
}

/** Reasons that lie with the caller, whatever the campaign is like. */
function callerObstacles(transition: Transition, facts: LifecycleFacts): CallerReason[] {
  const { action, by = 'writer' } = transition
  const { deniedAs, toPropose, isOwnSubmission } = facts
  if (deniedAs.includes(by)) return ['insufficient_role']
  if (toPropose.includes(action)) return ['change_set_required']
  return action === 'approve' && isOwnSubmission ? ['self_approval_forbidden'] : []
}

/** A suspended organization allows no actions. */
const stopsEverything = (reason: Reason) => reason === 'organization_suspended'

const isOfCaller = (reason: BlockReason) => callerReasons.some((each) => each === reason)

/** The same for events, which have no caller: the same array where nothing depends on one. */
export function withoutCaller(available: AvailableAction[]): AvailableAction[] {
  if (!available.some(({ blocked_by }) => blocked_by.some(isOfCaller))) return available
  return available.map(({ action, blocked_by }) => {
    const others = blocked_by.filter((reason) => !isOfCaller(reason))
    return { action, allowed: others.length === 0, blocked_by: others }
  })
}
