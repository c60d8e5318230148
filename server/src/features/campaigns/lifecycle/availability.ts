/** Whether a campaign delivers, and which actions it allows. Pure. */

import { isWithin } from '../dayparting.ts'
import { approvalObstacle, type Facts } from './lifecycle.ts'
import {
  type Action,
  type BlockReason,
  type Reason,
  type Status,
  type Transition,
  transitions,
} from './transitions.ts'

const reasonOfStatus: Record<Status, Reason | null> = {
  draft: 'not_launched',
  pending_review: 'pending_review',
  scheduled: 'before_start',
  active: null,
  paused: 'paused',
  completed: 'completed',
  archived: 'archived',
}

export type Delivery = { state: 'eligible' | 'not_eligible'; reasons: Reason[] }

/** Whether the campaign may deliver at this instant and, if not, every reason. */
export function deliveryOf(facts: Facts, now: string): Delivery {
  const hasBegun = facts.status === 'scheduled' && (facts.startAt ?? '') <= now
  const own = hasBegun ? null : reasonOfStatus[facts.status]
  const isLive = facts.status === 'active' || facts.status === 'scheduled'
  const outer = isLive ? facts.obstacles.filter((reason) => reason !== 'currency_mismatch') : []
  const found = [...(own ? [own] : daypartOf(facts, now)), ...outer]
  return { state: found.length === 0 ? 'eligible' : 'not_eligible', reasons: found }
}

/** Evaluated only for active campaigns, to spare the others the cost. */
const daypartOf = ({ schedule, timeZone }: Facts, now: string): Reason[] =>
  isWithin(schedule, timeZone, now) ? [] : ['outside_schedule']

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
