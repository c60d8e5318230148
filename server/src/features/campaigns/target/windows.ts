/** The days by which campaigns are found and sorted. Pure. */

import { daysAfter, monthAfter, monthOf, type Range } from '../../results/calendar.ts'

export const metricWindows = ['7d', '14d', '30d', 'this_month', 'last_month'] as const
export type MetricWindow = (typeof metricWindows)[number]

export const defaultMetricWindow: MetricWindow = '7d'

/** Columns of `campaign_metrics`. */
export const listedMetrics = [
  ...(['spend', 'impressions', 'clicks', 'conversions'] as const),
  ...(['ctr', 'cpc', 'cpm', 'cpa', 'roas'] as const),
]
export type ListedMetric = (typeof listedMetrics)[number]

/** Half-open; all but this month end yesterday, which includes today. */
export function daysOf(window: MetricWindow, today: string): Range {
  const month = monthOf(today)
  switch (window) {
    case '7d':
      return { from: daysAfter(today, -7), to: today }
    case '14d':
      return { from: daysAfter(today, -14), to: today }
    case '30d':
      return { from: daysAfter(today, -30), to: today }
    case 'this_month':
      return { from: month, to: monthAfter(today) }
    case 'last_month':
      return { from: monthOf(daysAfter(month, -1)), to: month }
  }
}
