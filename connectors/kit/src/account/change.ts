import { isDeepStrictEqual } from 'node:util'
import type { Seen } from '../contract/adapter.ts'
import { type FaultKind, NetworkFault } from '../contract/fault.ts'
import type { Observed, Plan, WorkItem } from '../contract/plan.ts'
import type { Account } from './account.ts'
import { isKept, keptFields, type Step, stepsTo } from './compare.ts'
import { readAll, readBack } from './look.ts'
import { write } from './write.ts'

/** Brings a campaign that is there to what it should be. */

export type Changed = { seen: Seen; isWritten: boolean }

const mostFaults = 3
/** Faults after which the campaign is read again: it may not be any more as it was last seen. */
const stale: readonly FaultKind[] = ['conflict', 'invalid', 'blocked']

/**
 * Steps from lower to higher, or all at once where the network does all or nothing. Each is read back; the first
 * that the network does not keep ends it. Null: the campaign is gone.
 */
export async function bringTo(
  account: Account,
  item: WorkItem,
  found: Seen,
): Promise<Changed | null> {
  const isAtOnce = account.adapter.isAtomic === true
  const going: Going = { seen: found, isWritten: false, isAtOnce, faults: 0 }
  for (;;) {
    const step = stepFor(account, item, going)
    if (!step) return going
    try {
      const next = await take(account, { item, seen: going.seen, step })
      if (!next) return null
      going.seen = next
      going.isWritten = true
      if (!isKept(step, going.seen.observed, item.desired)) return going
    } catch (error) {
      if (!(await isThereAfter(account, item, { going, step, error }))) return null
    }
  }
}

type Going = Changed & { isAtOnce: boolean; faults: number }
type Failed = { going: Going; step: Step; error: unknown }

/** Reads the campaign again after a fault that may come of what it was taken for; throws it where it does not. */
async function isThereAfter(
  account: Account,
  item: WorkItem,
  { going, step, error }: Failed,
): Promise<boolean> {
  going.faults += 1
  if (!(error instanceof NetworkFault) || !stale.includes(error.kind)) throw error
  if (going.faults >= mostFaults) throw error
  const latest = (await readAll(account, [going.seen.id])).get(going.seen.id)
  if (!latest) return false
  going.seen = latest
  if (error.kind === 'conflict') return true
  // A change that is refused goes in parts: pausing does not wait for a name.
  going.isAtOnce = false
  if (isDeepStrictEqual(stepFor(account, item, going), step)) throw error
  return true
}

/** The next step of what differs, or all of them as one. */
function stepFor(
  { adapter }: Account,
  { desired, managed_fields }: WorkItem,
  { seen, isAtOnce }: Pick<Going, 'seen' | 'isAtOnce'>,
): Step | undefined {
  const steps = stepsTo(desired, seen.observed, keptFields(managed_fields, adapter.coverage))
  const [first, ...others] = steps
  return isAtOnce && first ? Object.assign({}, first, ...others) : first
}

type Taken = { item: WorkItem; seen: Seen; step: Step }

/** After a lost answer the network has the last word: what it shows was done. Null: no look shows the campaign. */
async function take(account: Account, { item, seen, step }: Taken): Promise<Seen | null> {
  const plan = { ...over(item.desired, seen.observed), ...step }
  const isShown = (observed: Observed) => isKept(step, observed, item.desired)
  let lost: NetworkFault | null = null
  // Until it is seen, a raise counts as done, and lowering as not.
  account.unsure.set(seen.id, { ...seen.observed, ...spendingOf(step) })
  try {
    await write(account, { item, plan, seen })
  } catch (error) {
    if (!(error instanceof NetworkFault) || error.kind !== 'unknown_outcome') {
      account.unsure.delete(seen.id)
      throw error
    }
    lost = error
  }
  const next = await readBack(account, seen.id, isShown)
  if (next && isShown(next.observed)) account.unsure.delete(seen.id)
  if (lost && (next === null || !isShown(next.observed))) throw lost
  // A campaign that was just created may only be late.
  if (next === null && item.network_object_id === null)
    throw new NetworkFault('unknown_outcome', 'What was written cannot be read back.')
  return next
}

/** The spending of a step, as if it was seen. */
const spendingOf = ({
  run,
  daily_budget_minor: daily,
  lifetime_budget_minor: lifetime,
}: Step): Observed => ({
  ...(run !== undefined && { run: run === 'enabled' ? 'enabled' : 'paused' }),
  ...(daily !== undefined && { daily_budget_minor: daily }),
  ...(lifetime !== undefined && { lifetime_budget_minor: lifetime }),
})

/** The values of the network, and those of the plan where none can be seen. */
export function over(plan: Plan, observed: Observed): Plan {
  const known = Object.entries(observed).filter(
    ([member, value]) => value != null || nullable.some((each) => each === member),
  )
  return { ...plan, ...Object.fromEntries(known), settings: plan.settings }
}

const nullable = ['daily_budget_minor', 'lifetime_budget_minor', 'start_at', 'end_at'] as const
