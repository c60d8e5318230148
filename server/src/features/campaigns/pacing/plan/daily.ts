/** The plan to spend day by day, as far as it is planned by the day. Pure. */

import { type Fraction, fraction, plus, rounded, times, zero } from '../../../../values/fraction.ts'
import type { Allowance } from './allowances.ts'
import { type DayRun, dateOf, runsBetween, sumOver } from './days.ts'
import type { Plan } from './plan.ts'

export type PlannedDay = {
  date: string
  budget_minor: number | null
  expected_minor: number
  allowed_minor: number | null
}

/** Rounded so that the days add up to what is expected by each of them. */
export function plannedDays(plan: Plan, { dayPercent }: Allowance): PlannedDay[] {
  const { from, days } = plan
  const known = days.first + sumOver(days, [days.first, Number.MAX_SAFE_INTEGER], () => 1)
  const to = Math.min(plan.to ?? known, known)
  const share = shareOfDay(plan)
  const planned: PlannedDay[] = []
  let sum = zero
  for (let day = from; day < to; day += 1) {
    const [run] = runsBetween(days, day, day + 1)
    if (!run) continue
    const before = rounded(sum)
    sum = plus(sum, share(run))
    planned.push({
      date: dateOf(day),
      budget_minor: run.budgetMinor,
      expected_minor: Number(rounded(sum) - before),
      allowed_minor: run.highestMinor && Math.floor((run.highestMinor * dayPercent) / 100),
    })
  }
  return planned
}

/** The plan for a day. */
export type ShareOfDay = (run: DayRun) => Fraction

/** A day's budget by the part of its open time that the campaign ran. */
export const dailyShare: ShareOfDay = ({ budgetMinor, openMs, runMs }) =>
  budgetMinor === null || openMs === 0
    ? zero
    : fraction(BigInt(budgetMinor) * BigInt(runMs), openMs)

/** By the budget of the day, or its share of a lifetime budget. */
export function shareOfDay({ lifetimeMinor, days, from, to, rest }: Plan): ShareOfDay {
  if (lifetimeMinor === null) return dailyShare
  const whole = to === null ? 0 : sumOver(days, [from, to], ({ runMs }) => runMs) + rest.openMs
  return ({ runMs }) =>
    whole === 0 ? zero : times(fraction(lifetimeMinor), fraction(runMs, whole))
}
