import type { Seen } from '../contract/adapter.ts'
import type { FieldFault } from '../contract/fault.ts'
import type { Observed, Plan } from '../contract/plan.ts'

/** The operator's bound on what an account may spend a day, which no message of the service raises. */

/** In minor units by currency; null: none. */
export type Ceilings = ReadonlyMap<string, number> | null

type Budgets = Pick<Observed, 'daily_budget_minor' | 'lifetime_budget_minor'>

/** The most that a campaign may spend on one day: without a daily budget all of its lifetime one. */
const perDay = ({ daily_budget_minor: daily, lifetime_budget_minor: lifetime }: Budgets): number =>
  daily ?? lifetime ?? Number.POSITIVE_INFINITY

export type Asked = {
  id: string | null
  target: Plan
  /** All campaigns of the account, as last seen. */
  seen: ReadonlyMap<string, Seen>
  /** As writes may have made them: the higher of the two counts. */
  unsure?: ReadonlyMap<string, Observed>
}

const spendOf = ({ run, ...budgets }: Observed): number => (run === 'enabled' ? perDay(budgets) : 0)

/** The fault of a target that would bring the enabled campaigns of the account above the ceiling. */
export function ceilingFault(
  ceilings: Ceilings,
  { id, target, seen, unsure }: Asked,
): FieldFault | null {
  if (ceilings === null) return null
  const ceiling = ceilings.get(target.currency)
  if (ceiling === undefined)
    return fault(`This connector has a daily ceiling, and none in ${target.currency}.`)
  const own = perDay(target)
  const others = [...seen.values()]
    .filter((each) => each.id !== id)
    .map((each) => Math.max(spendOf(each.observed), spendOf(unsure?.get(each.id) ?? {})))
    .reduce((sum, each) => sum + each, 0)
  const sum = target.run === 'enabled' ? own + others : own
  if (sum <= ceiling) return null
  return fault(
    `The daily budgets that run in the account would be ${sum} in minor units: this connector’s ceiling is ${ceiling}.`,
  )
}

const fault = (message: string): FieldFault => ({ pointer: '/daily_budget', message })
