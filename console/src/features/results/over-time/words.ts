/** Points of results in words. */

import { formatMoney } from '../../../data/values/money.ts'
import { formatPercent } from '../../../data/values/numbers.ts'
import { formatDate, formatShortDate } from '../../../data/values/time.ts'
import { figureOf, type Measure, type Point, type Step, totalOf } from './points.ts'

export type Unit = { currency: string; exponent: number }

export const measureNames: Readonly<Record<Measure, string>> = {
  spend: 'Spend',
  conversions: 'Conversions',
  cpa: 'Cost per conversion',
}

const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** A value of a measure, as people read it. */
export const textOf = (value: number | null, measure: Measure, unit: Unit): string => {
  if (value === null) return 'no data'
  return measure === 'conversions'
    ? tenths.format(value)
    : formatMoney({ minor: Math.round(value), ...unit })
}

const months = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Under the plot. */
export const shortNameOf = ({ id, first }: Point, step: Step): string =>
  step === 'month' ? months.format(new Date(id)) : formatShortDate(first)

/** In full, with the last day of more than one. */
export const nameOfPoint = ({ id, first, last }: Point, step: Step): string => {
  if (step === 'month') return months.format(new Date(id))
  return first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`
}

export type Wording = { measure: Measure; step: Step; unit: Unit; isCompared: boolean }

/** All that stands at a point. */
export function pointText(point: Point, { measure, step, unit, isCompared }: Wording): string {
  const text = (value: number | null) => textOf(value, measure, unit)
  const now = figureOf(point.now, measure)
  return [
    `${nameOfPoint(point, step)}: ${text(now)}`,
    ...(now !== null && !point.isFinal ? ['provisional'] : []),
    ...(measure === 'spend' && point.planned !== null ? [`${text(point.planned)} planned`] : []),
    ...(isCompared ? [`${text(figureOf(point.before, measure))} before`] : []),
  ].join(', ')
}

/** The whole chart in a sentence. */
export function summaryOf(points: readonly Point[], shown: Wording): string {
  const { measure, unit, isCompared } = shown
  const now = figureOf(totalOf(points, 'now'), measure)
  const before = isCompared ? figureOf(totalOf(points, 'before'), measure) : null
  const planned = points.reduce((sum, { planned }) => sum + (planned ?? 0), 0)
  const whole = now === null ? 'No data' : `${textOf(now, measure, unit)} in all`
  return [
    whole,
    ...(measure === 'spend' && planned > 0 ? [`${textOf(planned, measure, unit)} planned`] : []),
    ...(before === null ? [] : [beforeText(now, before, shown)]),
  ].join(', ')
}

function beforeText(now: number | null, before: number, { measure, unit }: Wording): string {
  const text = `${textOf(before, measure, unit)} before`
  if (now === null || before <= 0) return text
  const change = (now - before) / before
  if (change === 0) return text
  return `${text}: ${formatPercent(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`
}
