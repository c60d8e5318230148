/** When a campaign needs somebody else's approval, and what one covers: pure. */

import type { Guardrails } from '../guardrails/rules.ts'
import type { ScheduleWindow } from './dayparting.ts'
import type { Objective } from './objectives.ts'
import { isWithinSchedule } from './open-time.ts'

/** What an approval is about. Without an amount or an end there is no bound; no start is at once. */
export type Plan = {
  objective: Objective
  profile_id: string
  currency: string
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: ScheduleWindow[]
}

/** What was approved: a ceiling. */
export type Approved = Plan & { by: string | null; at: string }

/** Fields in which a campaign must be what was approved, not less: they change in a draft only. */
export const approvedExactly = ['objective', 'profile_id', 'currency', 'time_zone'] as const

/** Whether the organization asks for an approval of the campaign, and whether it has it. */
export type ApprovalState = 'not_asked' | 'missing' | 'given'

/** Amounts compare with the daily budget; without one with all of the lifetime budget. */
export function isRequired(
  { mode, amounts }: Guardrails['approval'],
  plan: Pick<Plan, 'currency' | 'daily_budget_minor' | 'lifetime_budget_minor'>,
): boolean {
  if (mode !== 'above') return mode === 'always'
  const limit = amounts[plan.currency]
  const amount = plan.daily_budget_minor ?? plan.lifetime_budget_minor
  return limit !== undefined && amount !== null && amount > limit
}

/** Whether the plan is within these bounds in every respect. */
export const isCovered = (plan: Plan, bounds: Plan, now: string): boolean =>
  approvedExactly.every((field) => plan[field] === bounds[field]) &&
  !isMore(plan.daily_budget_minor, bounds.daily_budget_minor) &&
  !isMore(plan.lifetime_budget_minor, bounds.lifetime_budget_minor) &&
  !isMore(plan.end_at, bounds.end_at) &&
  !isEarlier(plan.start_at, bounds.start_at, now) &&
  isWithinSchedule(plan.schedule, bounds.schedule)

/** Null is without bound. Times are RFC 3339 UTC texts, which sort as times do. */
function isMore<T extends number | string>(one: T | null, other: T | null): boolean {
  if (other === null) return false
  return one === null || one > other
}

/** Nothing starts before now: once the bound has passed, no start is earlier than it. */
function isEarlier(start: string | null, bound: string | null, now: string): boolean {
  if (bound === null || bound <= now) return false
  return start === null || start < bound
}
