import { formatMoney } from '../data/values/money.ts'
import { formatShortDate } from '../data/values/time.ts'
import { type Scale, scaleOf } from './scale.ts'

/** Spent on a day, net of adjustments; undefined where nothing was reported. */
export type SparkDay = { spent: number; isFinal: boolean } | undefined

/** The paths of all bars of a kind, and what they say in words. */
export type Spark = { final: string; provisional: string; missing: string; text: string }

/** In pixels. */
export type Bars = { width: number; step: number }

export const sparkHeight = 20

export const sparkWidth = (count: number, { width, step }: Bars): number =>
  count * step - (step - width)

/** A day with little still differs from one with nothing, which is a line. In whole pixels. */
const [lineHeight, leastHeight] = [1, 3]
const dot = 2

type Words = { dates: readonly string[]; currency: string; exponent: number }

/** A bar for each day; null where there is nothing on any. */
export function sparkOf(days: readonly SparkDay[], bars: Bars, words: Words): Spark | null {
  if (days.every((day) => day === undefined)) return null
  return { ...pathsOf(days, bars), text: textOf(days, words) }
}

function pathsOf(days: readonly SparkDay[], { width, step }: Bars) {
  const largest = Math.max(1, ...days.map((day) => day?.spent ?? 0))
  const heightOf = scaleOf([0, largest], [0, sparkHeight])
  const paths = { final: '', provisional: '', missing: '' }
  for (const [at, day] of days.entries()) {
    const x = at * step
    if (day === undefined) paths.missing += dotOver(x, width)
    else if (day.isFinal) paths.final += filled(x, width, barHeight(day.spent, heightOf))
    else paths.provisional += outline(x, width, barHeight(day.spent, heightOf))
  }
  return paths
}

const barHeight = (spent: number, heightOf: Scale): number =>
  spent <= 0 ? lineHeight : Math.max(leastHeight, Math.round(heightOf(spent)))

const filled = (x: number, width: number, height: number): string =>
  `M${x} ${sparkHeight}v${-height}h${width}v${height}z`

/** Within the same bounds, though its line has a width; of nothing it is a broken line. */
const outline = (x: number, width: number, height: number): string =>
  height === lineHeight
    ? `M${x} ${sparkHeight - 0.5}h${width / 3}m${width / 3} 0h${width / 3}`
    : `M${x + 0.5} ${sparkHeight - 0.5}v${1 - height}h${width - 1}v${height - 1}z`

/** At half the height: nothing is known there, which is not a line at zero. */
const dotOver = (x: number, width: number): string =>
  `M${x + (width - dot) / 2} ${(sparkHeight - dot) / 2}h${dot}v${dot}h${-dot}z`

function textOf(days: readonly SparkDay[], { dates, currency, exponent }: Words): string {
  const money = (minor: number) => formatMoney({ minor, currency, exponent })
  const reported = days.filter((day) => day !== undefined)
  const sum = reported.reduce((all, { spent }) => all + spent, 0)
  const last = days.findLastIndex((day) => day !== undefined)
  const provisional = reported.filter(({ isFinal }) => !isFinal).length
  const missing = days.length - reported.length
  return [
    `${money(sum)} in ${countOf(days.length)}`,
    `${money(days[last]?.spent ?? 0)} on ${formatShortDate(dates[last] ?? '')}, the last day with data`,
    ...(provisional > 0 ? [`${countOf(provisional)} provisional`] : []),
    ...(missing > 0 ? [`${countOf(missing)} without data`] : []),
  ].join('; ')
}

const countOf = (days: number): string => (days === 1 ? '1 day' : `${days} days`)
