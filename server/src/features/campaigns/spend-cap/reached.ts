/** Whether so much was spent that a campaign is to stop. Pure. */

import type { Guardrails } from '../../../database/tables/json-columns.ts'
import { guardrailsIn, hundredthsOf } from '../../guardrails/rules.ts'
import { dateAt } from '../schedule/dayparting.ts'

/** Amounts in minor units. */
export type Spent = {
  guardrails: Guardrails | null
  lifetime_budget_minor: number | null
  /** Spending of the flight; no source counts for less than nothing. */
  capped_minor: number | null
  profile_spend_cap_minor: number | null
  profile_time_zone: string | null
  /** The month that is counted, and what was spent in it. */
  profile_spent_month: string | null
  profile_spent_minor: number | null
}

/** By the lifetime budget of the campaign, or the monthly cap of its profile. */
export function isSpendCapReached(campaign: Spent, now: string): boolean {
  const { stop_at_percent } = guardrailsIn(campaign.guardrails)
  return isLifetimeReached(campaign, stop_at_percent) || isMonthReached(campaign, now)
}

const isLifetimeReached = (
  { lifetime_budget_minor: lifetime, capped_minor: spent }: Spent,
  percent: number | null,
): boolean =>
  percent !== null && lifetime !== null && spent !== null && isReached(spent, lifetime, percent)

function isMonthReached(campaign: Spent, now: string): boolean {
  const { profile_spend_cap_minor: cap, profile_spent_minor: spent, guardrails } = campaign
  const { profile_time_zone: timeZone, profile_spent_month: month } = campaign
  if (cap === null || spent === null || timeZone === null) return false
  return month === monthIn(timeZone, now) && isReached(spent, cap, capPercentOf(guardrails))
}

/** A profile's cap holds in full where no other share is set. */
const capPercentOf = (guardrails: Guardrails | null): number =>
  guardrailsIn(guardrails).stop_at_percent ?? 100

const isReached = (spent: number, cap: number, percent: number): boolean =>
  BigInt(spent) * 100_00n >= BigInt(cap) * hundredthsOf(percent)

/** The first day of the month in a time zone. */
export const monthIn = (timeZone: string, now: string): string =>
  dateAt(timeZone, Date.parse(now)).with({ day: 1 }).toString()
