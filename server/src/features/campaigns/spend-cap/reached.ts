/** Whether so much was spent that a campaign is to stop. Pure. */

import type { ClientSpending, Guardrails } from '../../../database/tables/json-columns.ts'
import { guardrailsIn, hundredthsOf, stopScopesIn } from '../../guardrails/rules.ts'
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
  currency: string
  /** The month of its client that is counted. */
  client_spending: ClientSpending | null
}

/** By the lifetime budget of the campaign, the monthly cap of its profile, or its client's month. */
export function isSpendCapReached(campaign: Spent, now: string): boolean {
  const { stop_at_percent } = guardrailsIn(campaign.guardrails)
  const scopes = stopScopesIn(campaign.guardrails)
  return (
    (scopes.includes('lifetime') && isLifetimeReached(campaign, stop_at_percent)) ||
    (scopes.includes('profile') && isMonthReached(campaign, now)) ||
    (scopes.includes('client') && isClientReached(campaign, now))
  )
}

/** A month without a budget stops nothing. */
function isClientReached({ client_spending, currency, guardrails }: Spent, now: string): boolean {
  const month = client_spending?.currencies[currency]
  if (!client_spending || !month || now >= client_spending.until) return false
  return isReached(month.spent_minor, month.budget_minor, capPercentOf(guardrails))
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

/** A profile's cap and a client's month hold in full where no other share is set. */
const capPercentOf = (guardrails: Guardrails | null): number =>
  guardrailsIn(guardrails).stop_at_percent ?? 100

const isReached = (spent: number, cap: number, percent: number): boolean =>
  BigInt(spent) * 100_00n >= BigInt(cap) * hundredthsOf(percent)

/** The first day of the month in a time zone. */
export const monthIn = (timeZone: string, now: string): string =>
  dateAt(timeZone, Date.parse(now)).with({ day: 1 }).toString()
