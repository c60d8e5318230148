/** When a campaign needs approval, and what an approval covers. Pure. */

import type { ApprovalTerms, Guardrails } from '../../../database/tables/json-columns.ts'
import { isWithinSchedule } from '../schedule/open-time.ts'

/** Fields that must equal the approved value; they can change in draft only. */
export const approvedExactly = ['objective', 'profile_id', 'currency', 'time_zone'] as const

/** Whether the organization requires approval of the campaign, and whether it was given. */
export type ApprovalState = 'not_asked' | 'missing' | 'given'

/**
 * Compares the daily budget with the threshold, or the whole lifetime budget if there is no daily
 * one.
 */
export function isRequired(
  { mode, amounts }: Guardrails['approval'],
  plan: Pick<ApprovalTerms, 'currency' | 'daily_budget_minor' | 'lifetime_budget_minor'>,
): boolean {
  if (mode !== 'above') return mode === 'always'
  const limit = amounts[plan.currency]
  const amount = plan.daily_budget_minor ?? plan.lifetime_budget_minor
  return limit !== undefined && amount !== null && amount > limit
}

/** Whether every part of the plan is within the bounds. */
export const isCovered = (plan: ApprovalTerms, bounds: ApprovalTerms, now: string): boolean =>
  approvedExactly.every((field) => plan[field] === bounds[field]) &&
  !isMore(plan.daily_budget_minor, bounds.daily_budget_minor) &&
  !isMore(plan.lifetime_budget_minor, bounds.lifetime_budget_minor) &&
  !isMore(plan.end_at, bounds.end_at) &&
  !isEarlier(plan.start_at, bounds.start_at, now) &&
  isWithinSchedule(plan.schedule, bounds.schedule)

/** Null is unbounded. Times are RFC 3339 UTC strings, which sort chronologically. */
function isMore<T extends number | string>(one: T | null, other: T | null): boolean {
  if (other === null) return false
  return one === null || one > other
}

/** A start in the past counts as now, so a bound in the past never makes a start too early. */
function isEarlier(start: string | null, bound: string | null, now: string): boolean {
  if (bound === null || bound <= now) return false
  return start === null || start < bound
}
