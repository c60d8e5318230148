/** When a campaign needs somebody else's approval, and what one covers: pure. */

import type { Guardrails } from '../../kernel/guardrails.ts'

/** What an approval is about. Without an amount or an end there is no bound. */
export type Plan = {
  currency: string
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  end_at: string | null
}

/** What was approved: a ceiling. */
export type Approved = {
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  end_at: string | null
  by: string | null
  at: string
}

/** Whether the organization asks for an approval of the campaign, and whether it has it. */
export type ApprovalState = 'not_asked' | 'missing' | 'given'

export function approvalOf(
  { approval }: Pick<Guardrails, 'approval'>,
  plan: Plan,
  approved: Approved | null,
): ApprovalState {
  if (!isAsked(approval, plan)) return 'not_asked'
  return approved !== null && !exceeds(plan, approved) ? 'given' : 'missing'
}

/** The most that may be spent in a day: without a daily budget, all of it. */
export const spendableInADay = (
  plan: Pick<Plan, 'daily_budget_minor' | 'lifetime_budget_minor'>,
): number | null => plan.daily_budget_minor ?? plan.lifetime_budget_minor

function isAsked({ mode, amounts }: Guardrails['approval'], plan: Plan): boolean {
  if (mode !== 'above') return mode === 'always'
  const limit = amounts[plan.currency]
  const aDay = spendableInADay(plan)
  return limit !== undefined && aDay !== null && aDay > limit
}

type Bounds = Omit<Plan, 'currency'>

/** Whether the plan has a higher budget, or a later end, than these bounds. */
export const exceeds = (plan: Bounds, bounds: Bounds): boolean =>
  isMore(plan.daily_budget_minor, bounds.daily_budget_minor) ||
  isMore(plan.lifetime_budget_minor, bounds.lifetime_budget_minor) ||
  isMore(plan.end_at, bounds.end_at)

/** Null is without bound. Times are RFC 3339 UTC texts, which sort as times do. */
function isMore<T extends number | string>(one: T | null, other: T | null): boolean {
  if (other === null) return false
  return one === null || one > other
}
