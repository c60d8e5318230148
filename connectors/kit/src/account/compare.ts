import { isDeepStrictEqual } from 'node:util'
import type { Coverage, Field, Observed, Plan } from '../contract/plan.ts'
import { fields, membersOf } from '../contract/plan.ts'

/** Compares what should run with what was seen, and orders what is to be done. Pure. */

type Member = keyof Plan & keyof Observed

/** Members of a plan that are to be set. */
export type Step = Partial<Plan>

/** The fields that the network is to keep: managed, and held by the network itself. */
export const keptFields = (managed: readonly string[], coverage: Coverage): Field[] =>
  fields.filter(
    (field) => managed.includes(field) && (coverage[field] === 'native' || field === 'status'),
  )

/** Whether the network shows another value. What cannot be seen does not differ. */
function isOther(desired: Plan, observed: Observed, member: Member): boolean {
  const seen = observed[member]
  if (seen === undefined) return false
  const [one, other] = [desired[member], seen]
  const isTime = member === 'start_at' || member === 'end_at'
  if (isTime && typeof one === 'string' && typeof other === 'string')
    return Date.parse(one) !== Date.parse(other)
  return !isDeepStrictEqual(one, other)
}

/** Steps of what has to change, in an order in which spending sinks before it rises. */
export function stepsTo(desired: Plan, observed: Observed, kept: readonly Field[]): Step[] {
  const differing = kept.filter((field) =>
    membersOf[field].some((member) => isOther(desired, observed, member)),
  )
  const rankOf = (field: Field) => ranks[field](desired, observed)
  const groups = Map.groupBy(differing, rankOf)
  return [...groups.keys()]
    .toSorted((a, b) => a - b)
    .map((rank) => valuesOf(desired, groups.get(rank) ?? []))
}

const valuesOf = (plan: Plan, of: readonly Field[]): Step =>
  Object.fromEntries(
    of.flatMap((field) => membersOf[field].map((member) => [member, plan[member]])),
  )

/** Whether the network shows all that the step has set. */
export const isKept = (step: Step, observed: Observed, desired: Plan): boolean =>
  Object.keys(step).every((member) => !isOther({ ...desired, ...step }, observed, member as Member))

/** Pausing goes first and alone, as the network may refuse the rest; enabling goes last. */
const pausing = 0
const sinking = 1
const rising = 2
const enabling = 3

type Rank = (desired: Plan, observed: Observed) => number

const ranks: Readonly<Record<Field, Rank>> = {
  status: ({ run }) => (run === 'paused' ? pausing : enabling),
  budget: (desired, observed) =>
    isLower(desired.daily_budget_minor, observed.daily_budget_minor) &&
    isLower(desired.lifetime_budget_minor, observed.lifetime_budget_minor)
      ? sinking
      : rising,
  dates: (desired, observed) =>
    isSooner(desired.end_at, observed.end_at) && isSooner(observed.start_at, desired.start_at)
      ? sinking
      : rising,
  schedule: () => rising,
  name: () => rising,
}

type Bound<Value> = Value | null | undefined

/** Whether the first bounds at least as tightly; null is without a bound. */
const isLower = (next: Bound<number>, seen: Bound<number>) =>
  seen == null || (next != null && next <= seen)

const isSooner = (next: Bound<string>, seen: Bound<string>) =>
  seen == null || (next != null && Date.parse(next) <= Date.parse(seen))
