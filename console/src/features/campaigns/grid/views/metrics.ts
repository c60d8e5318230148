import { metricName } from '../../target/words.ts'

/** Metrics that are amounts: their bounds need one currency. */
const inMoney = ['cpa', 'spend', 'cpc', 'cpm']

export const isMoney = (metric: string): boolean => inMoney.includes(metric)

/** Metrics by which campaigns are filtered. */
export const metrics = [...inMoney, 'roas', 'ctr', 'conversions', 'clicks', 'impressions']

export const nameOfMetric = (metric: string): string =>
  metric === 'spend' ? 'Spend' : metricName(metric)
