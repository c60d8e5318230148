import type { Pacing, ResultPeriod } from './queries.ts'

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
  spentSum: number | null
}

/** The days of the plan, with the results of each and the sums so far. */
export function daysOf(pacing: Pacing, results: readonly ResultPeriod[]): readonly Day[] {
  const byDate = new Map(results.map((result) => [result.date, result]))
  const newest = results.at(-1)?.date ?? ''
  let [expectedSum, spentSum] = [0, 0]
  return (pacing.days ?? []).map(({ date, budget_minor, expected_minor, allowed_minor }) => {
    const result = byDate.get(date)
    const spent = result ? result.spend_minor + result.adjustment_minor : null
    expectedSum += expected_minor
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
      spentSum: date <= newest ? spentSum : null,
    }
  })
}
