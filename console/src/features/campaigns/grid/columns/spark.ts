import { type Spark, sparkOf, sparkWidth } from '../../../../charts/spark.ts'
import { addDays, wallOf } from '../../../../data/values/time.ts'
import type { Schema } from '../../../../flightdeck.ts'
import type { GridRow } from './column.ts'

export const dayCount = 14

/** Reported days, and when they were the last ones, by the clock of the organization. */
export type RowDays = {
  days: readonly Schema<'ResultDay'>[]
  now: number
  quarter: number
}

const bars = { width: 6, step: 8 }

export const width = sparkWidth(dayCount, bars)

type Campaign = Pick<GridRow, 'time_zone' | 'currency' | 'currency_exponent'>

/** Rows scroll by again and again. */
const known = new WeakMap<RowDays, { zone: string; drawn: Spark | null }>()

/** The last days in the time zone of the campaign, up to today; null where there is nothing. */
export function drawnDays(of: RowDays, campaign: Campaign): Spark | null {
  const { time_zone: zone, currency, currency_exponent: exponent } = campaign
  const before = known.get(of)
  if (before?.zone === zone) return before.drawn
  const dates = datesUntil(wallOf(of.now, zone).slice(0, 10))
  const reported = new Map(of.days.map((day) => [day.date, day]))
  const days = dates.map((date) => {
    const day = reported.get(date)
    return day && { spent: day.spend_minor + day.adjustment_minor, isFinal: day.is_final }
  })
  const drawn = sparkOf(days, bars, { dates, currency, exponent })
  known.set(of, { zone, drawn })
  return drawn
}

const datesUntil = (today: string): string[] =>
  Array.from({ length: dayCount }, (_, at) => addDays(today, at + 1 - dayCount))
