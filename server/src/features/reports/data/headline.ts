/** The sentence that figures propose for a report. Pure. */

import type { ClientPacing } from '../../campaigns/client-pacing/schema.ts'
import { monthAfter, monthOf, type Range } from '../../results/calendar.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import { amountText, countText, percentText } from './money.ts'

type Facts = {
  readonly totals: readonly ResultGroup[]
  readonly months: readonly ClientPacing[]
  readonly range: Range
  readonly compare: string | null
}

const maxCurrencies = 3

export function proposedHeadline({ totals, ...facts }: Facts): string {
  const spent = totals.filter(({ data }) => data)
  if (spent.length === 0) return 'Nothing was reported in this period.'
  if (spent.length > maxCurrencies) return `Results in ${spent.length} currencies.`
  return `Spent ${spent.map((total) => clauseOf(total, facts)).join('; ')}.`
}

const netOf = (group: { spend_minor?: unknown; adjustment_minor?: unknown }): number =>
  Number(group.spend_minor ?? 0) + Number(group.adjustment_minor ?? 0)

function clauseOf(total: ResultGroup, facts: Omit<Facts, 'totals'>): string {
  const net = netOf(total)
  const parts = [
    amountText(net, total.currency) + budgetText(net, total.currency, facts),
    comparedText(net, total, facts.compare),
    conversionsText(total),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Budgets are of whole months. */
function budgetText(net: number, currency: string, { months, range }: Omit<Facts, 'totals'>) {
  const isWhole = range.from === monthOf(range.from) && range.to === monthOf(range.to)
  const own = months.filter((each) => each.currency === currency)
  const budgets = own.flatMap(({ budget_minor }) => budget_minor ?? [])
  const budget = budgets.reduce((sum, each) => sum + each, 0)
  if (!isWhole || budgets.length < monthsIn(range) || budget === 0) return ''
  const verdict = net > budget ? ', over the budget of' : ' of the budget of'
  return `${verdict} ${amountText(budget, currency)} (${percentText(net / budget)})`
}

function monthsIn({ from, to }: Range): number {
  let count = 0
  for (let month = from; month < to; month = monthAfter(month)) count += 1
  return count
}

const periodNames: Readonly<Record<string, string>> = {
  previous_period: 'the period before',
  previous_year: 'the year before',
}

function comparedText(net: number, { previous }: ResultGroup, compare: string | null): string {
  const before = previous?.data ? netOf(previous) : 0
  if (compare === null || before <= 0) return ''
  const name = periodNames[compare] ?? 'before'
  const share = (net - before) / before
  if (Math.abs(share) < 0.005) return `the same as ${name}`
  return `${percentText(Math.abs(share))} ${share > 0 ? 'more' : 'less'} than ${name}`
}

function conversionsText({ conversions, cpa, currency, currency_exponent }: ResultGroup): string {
  if (conversions === null || conversions === 0) return ''
  const each =
    cpa === null
      ? ''
      : ` at ${amountText(Math.round(cpa * 10 ** currency_exponent), currency)} each`
  return `for ${countText(conversions)} conversions${each}`
}
