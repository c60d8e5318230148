import { addDays, instantOf } from '../../data/values/time.ts'
import type { BudgetStep } from '../change-sets/tray/budget-steps.ts'

/**
 * The budget of a day as scheduled, as a share of the one in force: 1 without a change, 1.5 where
 * it is raised by half from the day's begin on. A step in the middle of a day counts by the hour.
 */
export function scheduledShare(
  date: string,
  { steps, dailyMinor, zone }: { steps: readonly BudgetStep[]; dailyMinor: number; zone: string },
): number {
  const [start, end] = [midnightOf(date, zone), midnightOf(addDays(date, 1), zone)]
  let [from, minor, weighed] = [start, dailyMinor, 0]
  for (const { at, dailyMinor: next } of steps) {
    if (at >= end) break
    if (at > from) weighed += (at - from) * minor
    from = Math.max(at, start)
    minor = next
  }
  return (weighed + (end - from) * minor) / ((end - start) * dailyMinor)
}

const midnightOf = (date: string, zone: string): number =>
  Date.parse(instantOf(`${date}T00:00`, zone))
