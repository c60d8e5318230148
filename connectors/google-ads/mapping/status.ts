import type { Seen } from '../../kit/src/connect.ts'
import { reasonWords } from './reasons.ts'

/** The status of a campaign in the network, and whether it delivers. */

export type StatusFacts = {
  status: string
  primaryStatus: string
  primaryStatusReasons: readonly string[]
  /** Real times; null: none. */
  startsAt: number | null
  endsAt: number | null
}

export const networkStatusOf = (run: string): 'ENABLED' | 'PAUSED' =>
  run === 'enabled' ? 'ENABLED' : 'PAUSED'

export const runOf = (status: string): 'enabled' | 'paused' =>
  status === 'ENABLED' ? 'enabled' : 'paused'

export function statusOf(facts: StatusFacts, now: number): Seen['status'] {
  const { status, startsAt, endsAt, primaryStatus } = facts
  if (primaryStatus === 'ENDED' || (endsAt !== null && endsAt <= now)) return 'ended'
  if (status !== 'ENABLED') return 'paused'
  return startsAt !== null && startsAt > now ? 'scheduled' : 'active'
}

/** LIMITED and LEARNING campaigns deliver; a new word of the network is not judged. */
const deliveryStates: Readonly<Record<string, Seen['delivery']['state']>> = {
  ELIGIBLE: 'delivering',
  LIMITED: 'delivering',
  LEARNING: 'delivering',
  PAUSED: 'not_delivering',
  PENDING: 'not_delivering',
  ENDED: 'not_delivering',
  REMOVED: 'not_delivering',
  MISCONFIGURED: 'not_delivering',
  NOT_ELIGIBLE: 'not_delivering',
}

export const deliveryOf = (facts: StatusFacts): Seen['delivery'] => ({
  state: deliveryStates[facts.primaryStatus] ?? 'unknown',
  reasons: facts.primaryStatusReasons.map((reason) => reasonWords[reason] ?? reason),
})
