/** What a campaign says of itself: whether it delivers, and what can be done with it. Pure. */

import { isWithin } from '../dayparting.ts'
import { approvalObstacle, type Facts, obstacles } from './lifecycle.ts'
import { type Action, type Reason, type Status, transitions } from './transitions.ts'

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

/** Whether the campaign may deliver at this instant, and if not, every reason why. */
export function deliveryOf(facts: Facts, now: string): Delivery {
  const hasBegun = facts.status === 'scheduled' && (facts.startAt ?? '') <= now
  const own = hasBegun ? null : reasonOfStatus[facts.status]
  const isLive = facts.status === 'active' || facts.status === 'scheduled'
  const outer = isLive
    ? obstacles(facts, now).filter((reason) => reason !== 'currency_mismatch')
    : []
  const found = [...(own ? [own] : daypartOf(facts, now)), ...outer]
  return { state: found.length === 0 ? 'eligible' : 'not_eligible', reasons: found }
}

/** Asked only of a campaign that runs, so that no other pays for it. */
const daypartOf = ({ schedule, timeZone }: Facts, now: string): Reason[] =>
  isWithin(schedule, timeZone, now) ? [] : ['outside_schedule']

export type AvailableAction = { action: Action; allowed: boolean; blocked_by: Reason[] }

/** Every action: whether it can be taken now, and what keeps it from it. */
export function availableActions(facts: Facts, now: string): AvailableAction[] {
  const inTheWay = obstacles(facts, now)
  const key = `${facts.status} ${facts.approval} ${inTheWay}`
  const known = knownActions.get(key)
  if (known) return known
  const made = actionsWith(facts, inTheWay)
  knownActions.set(key, made)
  return made
}

// There are few combinations, and each campaign of each list has one.
const knownActions = new Map<string, AvailableAction[]>()

function actionsWith({ status, approval }: Facts, inTheWay: Reason[]): AvailableAction[] {
  const own = reasonOfStatus[status]
  // A suspended organization takes no action at all.
  const ofAll = inTheWay.filter((reason) => reason === 'organization_suspended')
  return transitions.map((transition) => {
    const { action, from, checked } = transition
    if (!from.includes(status)) {
      return { action, allowed: false, blocked_by: [...(own ? [own] : []), ...ofAll] }
    }
    const missing = approvalObstacle(transition, approval)
    const blocked_by = [...(missing ? [missing] : []), ...(checked ? inTheWay : ofAll)]
    return { action, allowed: blocked_by.length === 0, blocked_by }
  })
}
