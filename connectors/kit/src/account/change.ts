import type { Seen } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import type { Observed, Plan, WorkItem } from '../contract/plan.ts'
import type { Account } from './account.ts'
import { isKept, keptFields, type Step, stepsTo } from './compare.ts'
import { readAll, readBack } from './look.ts'
import { write } from './write.ts'

/** Brings a campaign that is there to what it should be. */

export type Changed = { seen: Seen; isWritten: boolean }

const mostConflicts = 3

/** Steps from lower to higher, each read back; the first that the network does not keep ends it. */
export async function bringTo(account: Account, item: WorkItem, found: Seen): Promise<Changed> {
  let seen = found
  let isWritten = false
  for (let conflicts = 0; ; ) {
    const [step] = stepsFor(account, item, seen)
    if (!step) return { seen, isWritten }
    try {
      const next = await take(account, { item, seen, step })
      isWritten = true
      if (!isKept(step, next.observed, item.desired)) return { seen: next, isWritten }
      seen = next
    } catch (error) {
      conflicts += 1
      if (!(error instanceof NetworkFault) || error.kind !== 'conflict') throw error
      if (conflicts >= mostConflicts) throw error
      seen = (await readAll(account, [seen.id])).get(seen.id) ?? gone()
    }
  }
}

const gone = (): never => {
  throw new NetworkFault('conflict', 'The campaign vanished while it was changed.')
}

const stepsFor = ({ adapter }: Account, { desired, managed_fields }: WorkItem, seen: Seen) =>
  stepsTo(desired, seen.observed, keptFields(managed_fields, adapter.coverage))

type Taken = { item: WorkItem; seen: Seen; step: Step }

/** After a lost answer the network has the last word: what it shows was done. */
async function take(account: Account, { item, seen, step }: Taken): Promise<Seen> {
  const plan = { ...over(item.desired, seen.observed), ...step }
  const isShown = (observed: Observed) => isKept(step, observed, item.desired)
  let lost: NetworkFault | null = null
  try {
    await write(account, { item, plan, seen })
  } catch (error) {
    if (!(error instanceof NetworkFault) || error.kind !== 'unknown_outcome') throw error
    // Until it is seen, a raise counts as done.
    account.seen.set(seen.id, { ...seen, observed: { ...seen.observed, ...spendingOf(step) } })
    lost = error
  }
  const next = await readBack(account, seen.id, isShown)
  if (next === null || (lost && !isShown(next.observed)))
    throw lost ?? new NetworkFault('unknown_outcome', 'What was written cannot be read back.')
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
