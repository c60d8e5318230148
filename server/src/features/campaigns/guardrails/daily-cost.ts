/** The maximum cost of a campaign per day, calculated only here. Pure. */

import { type Schedule, scheduleOf } from '../schedule/dayparting.ts'
import { openTime } from '../schedule/open-time.ts'

/** The inputs of the daily cost. Times are RFC 3339 UTC strings, which sort chronologically. */
export type Priced = {
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: Schedule | null
}

/**
 * The daily budget. Without one: the lifetime budget spread evenly over the open time between
 * `from` (or a later start) and the end, taking the day with the largest share, rounded up; the
 * whole lifetime budget if there is no end. In minor units.
 */
export function dailyCost(plan: Priced, from: string): number {
  const { daily_budget_minor: daily, lifetime_budget_minor, start_at, end_at } = plan
  if (daily !== null) return daily
  const all = lifetime_budget_minor ?? 0
  const start = start_at !== null && start_at > from ? start_at : from
  if (end_at === null || end_at <= start) return all
  const span = { start, end: end_at }
  const { totalMs, maxDayMs } = openTime(scheduleOf(plan), plan.time_zone, span)
  if (totalMs <= maxDayMs) return all
  const [part, whole] = [BigInt(maxDayMs), BigInt(totalMs)]
  return Number((BigInt(all) * part + whole - 1n) / whole)
}

/** A plan, and the daily cost last counted against its profile's cap. */
export type Counted = Priced & { daily_cost_minor: number | null }

/**
 * The daily cost before a change, as the baseline to compare with. Actual spend is unknown, so near
 * its end a lifetime budget can look more expensive than when it was accepted; that does not permit
 * an equally large daily budget.
 */
export function costBefore(before: Counted, after: Priced, now: string): number {
  const cost = dailyCost(before, now)
  const isOtherKind = before.daily_budget_minor === null && after.daily_budget_minor !== null
  return isOtherKind ? Math.min(cost, before.daily_cost_minor ?? cost) : cost
}

/**
 * Whether a change raises the daily cost. A lifetime budget does so if it grows or gets less open
 * time.
 */
export function isRaise(before: Counted, after: Priced, now: string): boolean {
  const amount = before.lifetime_budget_minor
  if (before.daily_budget_minor !== null || after.daily_budget_minor !== null) {
    return dailyCost(after, now) > costBefore(before, after, now)
  }
  const inNewTime = dailyCost({ ...after, lifetime_budget_minor: amount }, now)
  return (after.lifetime_budget_minor ?? 0) > (amount ?? 0) || inNewTime > dailyCost(before, now)
}

/** Amount by which a day can cost more after a change; `before` is null where nothing was spent until now. */
export function raiseOf(before: Counted | null, after: Priced, now: string): number {
  const was = before ? costBefore(before, after, now) : 0
  return Math.max(0, dailyCost(after, now) - was)
}
