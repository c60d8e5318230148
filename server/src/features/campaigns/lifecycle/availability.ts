/** Which actions a campaign allows. Pure. */

import { approvalObstacle, type Facts } from './lifecycle.ts'
import {
  type Action,
  type BlockReason,
  type Reason,
  type Transition,
  transitions,
} from './transitions.ts'

export type AvailableAction = { action: Action; allowed: boolean; blocked_by: BlockReason[] }

/** The actions available in the status, whether each is allowed now, and what blocks it. */
export function availableActions(facts: Facts): AvailableAction[] {
  const { status, approval, usesApprovals, obstacles, deniedAs } = facts
  const key = `${status} ${approval} ${usesApprovals} ${obstacles} ${deniedAs}`
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

function availableAction(transition: Transition, facts: Facts): AvailableAction {
  const { action, checked, by = 'writer' } = transition
  const missing = approvalObstacle(transition, facts.approval)
  const blocked_by: BlockReason[] = [
    ...(facts.deniedAs.includes(by) ? ['insufficient_role' as const] : []),
    ...(missing ? [missing] : []),
    ...facts.obstacles.filter((reason) => checked || stopsEverything(reason)),
  ]
  return { action, allowed: blocked_by.length === 0, blocked_by }
}

/** A suspended organization allows no actions. */
const stopsEverything = (reason: Reason) => reason === 'organization_suspended'

/** The same for events, which have no caller. */
export function withoutRole(available: AvailableAction[]): AvailableAction[] {
  return available.map(({ action, blocked_by }) => {
    const others = blocked_by.filter((reason) => reason !== 'insufficient_role')
    return { action, allowed: others.length === 0, blocked_by: others }
  })
}
