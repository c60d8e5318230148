import { remembered } from '../../../concurrency/remembered.ts'
import { firstDayOf, monthIn, monthsAfter } from '../../../values/times.ts'
import { calendarDays } from '../schedule/dayparting.ts'

/** A month and its days, in a client's zone. */
export type Month = {
  name: string
  first: string
  /** The day after the last. */
  end: string
  daySeconds: readonly number[]
}

const months = remembered<Month>(500)

/** Many clients have the same zone. */
export const monthOf = (timeZone: string, name: string): Month =>
  months(`${timeZone} ${name}`, () => {
    const [first, end] = [firstDayOf(name), firstDayOf(monthsAfter(name, 1))]
    const span = { start: startOf(first, timeZone), end: startOf(end, timeZone) }
    const days = calendarDays(timeZone, span)
    return { name, first, end, daySeconds: days.map(({ start, end }) => (end - start) / 1000) }
  })

const startOf = (date: string, timeZone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds

/** How many days from one date to another. */
export const daysFrom = (first: string, date: string): number =>
  Math.round((Date.parse(date) - Date.parse(first)) / 86_400_000)

const dayMs = 86_400_000

/** The months that are assessed at an instant: the last until two days after it, this one, the next. */
export function assessedMonths(timeZone: string, now: string): string[] {
  const [before, present] = [
    monthIn(timeZone, new Date(Date.parse(now) - 2 * dayMs).toISOString()),
    monthIn(timeZone, now),
  ]
  return [...new Set([before, present, monthsAfter(present, 1)])]
}
