import type { NetworkFault } from '../contract/fault.ts'
import type { WorkItem } from '../contract/plan.ts'
import { said } from '../telemetry/log.ts'
import type { Account } from './account.ts'
import { openHand } from './in-hand.ts'
import type { Lane, LaneTerms } from './lane.ts'
import { reportOf } from './report.ts'
import type { Sent } from './sent.ts'

/** A lane of an account that cannot be spoken to: its work is blocked. */
export function closedLane(
  { profile, flightdeck, log }: Pick<Account, 'profile' | 'flightdeck' | 'log'>,
  { held }: Pick<LaneTerms, 'held'>,
  { code, message }: NetworkFault,
): Lane {
  const hand = openHand(profile.id)
  const blockedOf = (item: WorkItem) => reportOf(item, 'blocked', { error: { code, message } })
  const doAll = async (items: readonly WorkItem[]): Promise<Sent[]> => {
    if (items.length === 0) return []
    const reports = items.map(blockedOf)
    const { results } = await flightdeck.connector.reportWork({ ...held.named(), reports })
    return results.map(({ deployment_id, state = null }) => ({ deployment_id, state }))
  }
  return {
    profileId: profile.id,
    give(items) {
      const fresh = hand.take(items)
      doAll(fresh)
        .catch((error) => log.error('work was not blocked', { error: said(error) }))
        .finally(() => hand.letGoLater(fresh))
      return fresh.length
    },
    run: async () => {},
    look: async () => message,
    backfill: async () => ({ isMore: false, fault: null }),
    doAll,
    examine: async () => [{ what: profile.name, fix: message }],
    tryOut: async (items) => items.map(blockedOf),
  }
}
