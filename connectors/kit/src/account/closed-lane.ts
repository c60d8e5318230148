import type { NetworkFault } from '../contract/fault.ts'
import type { CheckItem, WorkItem } from '../contract/plan.ts'
import { said } from '../telemetry/log.ts'
import type { Account } from './account.ts'
import { handsOf } from './in-hand.ts'
import type { Lane, LaneTerms } from './lane.ts'
import { checkOf, reportOf } from './report.ts'
import type { Sent } from './sent.ts'

/** A lane of an account that cannot be spoken to: its work is blocked. */
export function closedLane(
  { profile, flightdeck, log }: Pick<Account, 'profile' | 'flightdeck' | 'log'>,
  { held }: Pick<LaneTerms, 'held'>,
  { code, message }: NetworkFault,
): Lane {
  const [hand, judging] = handsOf(profile.id)
  const blockedOf = (item: WorkItem) => reportOf(item, 'blocked', { error: { code, message } })
  const doAll = async (items: readonly WorkItem[]): Promise<Sent[]> => {
    if (items.length === 0) return []
    const reports = items.map(blockedOf)
    const { results } = await flightdeck.connector.reportWork({ ...held.named(), reports })
    return results.map(({ deployment_id, state = null }) => ({ deployment_id, state }))
  }
  const judge = async (items: readonly CheckItem[]): Promise<void> => {
    const checks = items.map((item) => checkOf(item, { code, message }))
    if (checks.length > 0)
      await flightdeck.connector.reportWork({ ...held.named(), reports: [], checks })
  }
  return {
    profileId: profile.id,
    give({ items, checks }) {
      const [fresh, others] = [hand.take(items), judging.take(checks)]
      Promise.all([doAll(fresh), judge(others)])
        .catch((error) => log.error('work was not blocked', { error: said(error) }))
        .finally(() => {
          hand.letGoLater(fresh)
          judging.letGoLater(others)
        })
      return fresh.length + others.length
    },
    run: async () => {},
    look: async () => message,
    backfill: async () => ({ isMore: false, fault: null }),
    doAll,
    judge,
    examine: async () => [{ what: profile.name, fix: message }],
    tryOut: async (items) => items.map(blockedOf),
  }
}
