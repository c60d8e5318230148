/** Sums up how a change set changes the budgets of running campaigns. Pure. */

import type { Amounts, Schedule, SpendDelta } from '../../../database/tables/json-columns.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { dailyCost } from '../../campaigns/guardrails/daily-cost.ts'

/** The fields of a campaign that the sums need, as rows and events have them. */
export type Campaign = {
  id: string
  status: string
  currency: string
  currency_exponent: number
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: Schedule | null
}

export type Pair = { before: Campaign | null; after: Campaign | null }

/** Each campaign before the first operation and after the last, also those that only follow. */
export function pairsOf(
  campaigns: readonly Campaign[],
  events: readonly Pick<LedgerEvent<Campaign>, 'type' | 'data'>[],
): readonly Pair[] {
  const pairs = new Map<string, Pair>(
    campaigns.map((campaign) => [campaign.id, { before: campaign, after: campaign }]),
  )
  for (const { type, data } of events) {
    const { object, previous } = data
    const after = type === 'campaign.deleted' ? null : object
    const former = previous && { ...object, ...previous }
    const known = pairs.get(object.id)
    pairs.set(object.id, { before: known ? known.before : former, after })
  }
  return [...pairs.values()]
}

export const isRunning = (campaign: Campaign | null): campaign is Campaign =>
  campaign !== null && (campaign.status === 'scheduled' || campaign.status === 'active')

type Sums = { exponent: number; before: Campaign[]; after: Campaign[] }

function byCurrency(pairs: readonly Pair[]): [string, Sums][] {
  const found = new Map<string, Sums>()
  const sumsOf = ({ currency, currency_exponent: exponent }: Campaign) => {
    const sums = found.get(currency) ?? { exponent, before: [], after: [] }
    found.set(currency, sums)
    return sums
  }
  for (const { before, after } of pairs) {
    if (isRunning(before)) sumsOf(before).before.push(before)
    if (isRunning(after)) sumsOf(after).after.push(after)
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

const sumOf = (
  campaigns: readonly Campaign[],
  field: 'daily_budget_minor' | 'lifetime_budget_minor',
): number => campaigns.reduce((sum, campaign) => sum + (campaign[field] ?? 0), 0)

export const spendDelta = (pairs: readonly Pair[]): SpendDelta[] =>
  byCurrency(pairs).map(([currency, { exponent, before, after }]) => ({
    currency,
    currency_exponent: exponent,
    daily_before_minor: sumOf(before, 'daily_budget_minor'),
    daily_after_minor: sumOf(after, 'daily_budget_minor'),
    lifetime_before_minor: sumOf(before, 'lifetime_budget_minor'),
    lifetime_after_minor: sumOf(after, 'lifetime_budget_minor'),
  }))

/** Whether what running campaigns cost in a day rises by more than the amount of a currency. */
export const isRaisedBeyond = (pairs: readonly Pair[], above: Amounts, now: string): boolean =>
  byCurrency(pairs).some(([currency, { before, after }]) => {
    const cost = (campaigns: readonly Campaign[]) =>
      campaigns.reduce((sum, campaign) => sum + dailyCost(campaign, now), 0)
    return cost(after) - cost(before) > (above[currency] ?? 0)
  })
