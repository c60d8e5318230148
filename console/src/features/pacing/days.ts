import type { BudgetStep } from '../change-sets/tray/budget-steps.ts'
import type { Pacing, ResultPeriod } from './queries.ts'
import { scheduledShare } from './scheduled.ts'

/** A day of the period: what was planned beside what was spent. Amounts are minor units. */
export type Day = {
  id: string
  date: string
  budget: number | null
  expected: number
  allowed: number | null
  /** Net of adjustments; null where nothing was reported. */
  spent: number | null
  isFinal: boolean
  expectedSum: number
  /** With the budgets that are scheduled. */
  scheduledSum: number
  spentSum: number | null
}

export type Scheduled = { steps: readonly BudgetStep[]; dailyMinor: number | null; zone: string }

/** The days of the plan, with the results of each and the sums so far. */
export function daysOf(
  pacing: Pacing,
  results: readonly ResultPeriod[],
  scheduled: Scheduled,
): readonly Day[] {
  const byDate = new Map(results.map((result) => [result.date, result]))
  const newest = results.at(-1)?.date ?? ''
  let [expectedSum, scheduledSum, spentSum] = [0, 0, 0]
  return (pacing.days ?? []).map(({ date, budget_minor, expected_minor, allowed_minor }) => {
    const result = byDate.get(date)
    const spent = result ? result.spend_minor + result.adjustment_minor : null
    expectedSum += expected_minor
    scheduledSum += scheduledMinor(date, expected_minor, scheduled)
    spentSum += spent ?? 0
    return {
      id: date,
      date,
      budget: budget_minor,
      expected: expected_minor,
      allowed: allowed_minor,
      spent,
      isFinal: result?.is_final ?? false,
      expectedSum,
      scheduledSum,
      spentSum: date <= newest ? spentSum : null,
    }
  })
}

/** Planned beyond what is planned today, by what is scheduled, in the days of the plan: minor units. */
export const scheduledExtra = ({ days }: Pacing, scheduled: Scheduled): number =>
  Math.round(
    (days ?? []).reduce(
      (sum, { date, expected_minor: minor }) =>
        sum + scheduledMinor(date, minor, scheduled) - minor,
      0,
    ),
  )

function scheduledMinor(date: string, minor: number, { steps, dailyMinor, zone }: Scheduled) {
  if (steps.length === 0 || dailyMinor === null || dailyMinor === 0) return minor
  return minor * scheduledShare(date, { steps, dailyMinor, zone })
}
