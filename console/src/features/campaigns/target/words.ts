import { formatNumber } from '../../../data/values/money.ts'
import { formatCount, formatPercent } from '../../../data/values/numbers.ts'
import type { Schema } from '../../../flightdeck.ts'

export type Metric = Schema<'TargetMetric'>
export type Performance = Schema<'CampaignPerformance'>

const shortNames: Readonly<Record<string, string>> = {
  cpa: 'CPA',
  cpc: 'CPC',
  cpm: 'CPM',
  roas: 'ROAS',
  ctr: 'CTR',
  conversions: 'Conversions',
  clicks: 'Clicks',
  impressions: 'Impressions',
}

export const metricName = (metric: string): string => shortNames[metric] ?? metric

const costs = ['cpa', 'cpc', 'cpm']

export const isCost = (metric: string): boolean => costs.includes(metric)

export type InCurrency = { currency: string; currency_exponent: number }

/** A value of the metric as people read it: `USD 20.00`, `1.5%`, `4.2`. */
export function metricText(
  { metric, value }: { metric: string; value: number },
  { currency, currency_exponent }: InCurrency,
): string {
  if (isCost(metric)) return `${currency} ${formatNumber(value.toFixed(currency_exponent))}`
  if (metric === 'ctr') return formatPercent(value, 2)
  return metric === 'roas' ? formatNumber(`${Math.round(value * 100) / 100}`) : formatCount(value)
}

/** `CPA at most USD 20.00 in 7 days`. */
export function targetText(target: Schema<'Target'>, currency: InCurrency): string {
  const bound = isCost(target.metric) ? 'at most' : 'at least'
  const days = target.window_days === 1 ? 'a day' : `${target.window_days} days`
  return `${metricName(target.metric)} ${bound} ${metricText(target, currency)} in ${days}`
}
