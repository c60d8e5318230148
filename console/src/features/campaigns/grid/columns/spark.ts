import { type Scale, scaleOf } from '../../../../charts/scale.ts'
import { formatMoney } from '../../../../data/values/money.ts'
import { addDays, formatShortDate, wallOf } from '../../../../data/values/time.ts'
import type { Schema } from '../../../../flightdeck.ts'
import type { GridRow } from './column.ts'

export const dayCount = 14

/** Reported days, and when they were the last ones, by the clock of the organization. */
export type RowDays = {
  days: readonly Schema<'ResultDay'>[]
  now: number
  quarter: number
}

const bar = { width: 6, step: 8 }

export const size = { width: dayCount * bar.step - (bar.step - bar.width), height: 20 }

/** A day with little still differs from one with nothing, which is a line. In whole pixels. */
const [lineHeight, leastHeight] = [1, 3]
const dot = 2

/** The paths of all bars of a kind, and what they say in words. */
type Drawn = { final: string; provisional: string; missing: string; text: string }

type Campaign = Pick<GridRow, 'time_zone' | 'currency' | 'currency_exponent'>
type Day = { spent: number; isFinal: boolean } | undefined

/** Rows scroll by again and again. */
const known = new WeakMap<RowDays, { zone: string; drawn: Drawn | null }>()

/** The last days in the time zone of the campaign, up to today; null where there is nothing. */
export function drawnDays(of: RowDays, campaign: Campaign): Drawn | null {
  const before = known.get(of)
  if (before?.zone === campaign.time_zone) return before.drawn
  const dates = datesUntil(wallOf(of.now, campaign.time_zone).slice(0, 10))
  const reported = new Map(of.days.map((day) => [day.date, day]))
  const days = dates.map((date): Day => {
    const day = reported.get(date)
    return day && { spent: day.spend_minor + day.adjustment_minor, isFinal: day.is_final }
  })
  const isEmpty = days.every((day) => day === undefined)
  const drawn = isEmpty ? null : { ...pathsOf(days), text: sparkText(days, dates, campaign) }
  known.set(of, { zone: campaign.time_zone, drawn })
  return drawn
}

const datesUntil = (today: string): string[] =>
  Array.from({ length: dayCount }, (_, at) => addDays(today, at + 1 - dayCount))

function pathsOf(days: readonly Day[]) {
  const largest = Math.max(1, ...days.map((day) => day?.spent ?? 0))
  const heightOf = scaleOf([0, largest], [0, size.height])
  const paths = { final: '', provisional: '', missing: '' }
  for (const [at, day] of days.entries()) {
    const x = at * bar.step
    if (day === undefined) paths.missing += dotOver(x)
    else if (day.isFinal) paths.final += filled(x, barHeight(day.spent, heightOf))
    else paths.provisional += outline(x, barHeight(day.spent, heightOf))
  }
  return paths
}

const barHeight = (spent: number, heightOf: Scale): number =>
  spent <= 0 ? lineHeight : Math.max(leastHeight, Math.round(heightOf(spent)))

const filled = (x: number, height: number): string =>
  `M${x} ${size.height}v${-height}h${bar.width}v${height}z`

/** Within the same bounds, though its line has a width; of nothing it is a broken line. */
const outline = (x: number, height: number): string =>
  height === lineHeight
    ? `M${x} ${size.height - 0.5}h2m2 0h2`
    : `M${x + 0.5} ${size.height - 0.5}v${1 - height}h${bar.width - 1}v${height - 1}z`

/** At half the height: nothing is known there, which is not a line at zero. */
const dotOver = (x: number): string =>
  `M${x + (bar.width - dot) / 2} ${(size.height - dot) / 2}h${dot}v${dot}h${-dot}z`

function sparkText(days: readonly Day[], dates: readonly string[], campaign: Campaign): string {
  const money = (minor: number) =>
    formatMoney({ minor, currency: campaign.currency, exponent: campaign.currency_exponent })
  const reported = days.filter((day) => day !== undefined)
  const sum = reported.reduce((all, { spent }) => all + spent, 0)
  const last = days.findLastIndex((day) => day !== undefined)
  const provisional = reported.filter(({ isFinal }) => !isFinal).length
  const missing = days.length - reported.length
  return [
    `${money(sum)} in ${dayCount} days`,
    `${money(days[last]?.spent ?? 0)} on ${formatShortDate(dates[last] ?? '')}, the last day with data`,
    ...(provisional > 0 ? [`${countOf(provisional)} provisional`] : []),
    ...(missing > 0 ? [`${countOf(missing)} without data`] : []),
  ].join('; ')
}

const countOf = (days: number): string => (days === 1 ? '1 day' : `${days} days`)
