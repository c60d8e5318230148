/** What a campaign can cost in a day: the only place that calculates it. Pure. */

import { type Schedule, scheduleOf } from './dayparting.ts'
import { openTime } from './open-time.ts'

/** What decides the cost of a day. Times are RFC 3339 UTC texts, which sort as times do. */
export type Priced = {
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: Schedule | null
}

/**
 * The daily budget; without one the lifetime budget, spread evenly over the open time from `from` (or
 * a later start) to the end, for the day with the most of it, rounded up. All of it without an end.
 * Minor units.
 */
export function dailyCost(plan: Priced, from: string): number {
  const { daily_budget_minor: daily, lifetime_budget_minor, start_at, end_at } = plan
  if (daily !== null) return daily
  const all = lifetime_budget_minor ?? 0
  const start = start_at !== null && start_at > from ? start_at : from
  if (end_at === null || end_at <= start) return all
  const span = { start, end: end_at }
  const { totalMs, longestDayMs } = openTime(scheduleOf(plan), plan.time_zone, span)
  if (totalMs <= longestDayMs) return all
  const [part, whole] = [BigInt(longestDayMs), BigInt(totalMs)]
  return Number((BigInt(all) * part + whole - 1n) / whole)
}

/** A plan, and what of it counted last against its profile's cap. */
export type Counted = Priced & { daily_cost_minor: number | null }

/**
 * What a day could cost before a change, for the change to be compared with. Nobody knows what was
 * spent: so near its end a lifetime budget may look larger than it was let in as, and that is no
 * licence for a daily budget as large.
 */
export function costBefore(before: Counted, after: Priced, now: string): number {
  const cost = dailyCost(before, now)
  const isOtherKind = before.daily_budget_minor === null && after.daily_budget_minor !== null
  return isOtherKind ? Math.min(cost, before.daily_cost_minor ?? cost) : cost
}

/** Whether a change raises what a day can cost: of a lifetime budget, if it grows or has less time. */
export function isRaise(before: Counted, after: Priced, now: string): boolean {
  const amount = before.lifetime_budget_minor
  if (before.daily_budget_minor !== null || after.daily_budget_minor !== null) {
    return dailyCost(after, now) > costBefore(before, after, now)
  }
  const inNewTime = dailyCost({ ...after, lifetime_budget_minor: amount }, now)
  return (after.lifetime_budget_minor ?? 0) > (amount ?? 0) || inNewTime > dailyCost(before, now)
}
