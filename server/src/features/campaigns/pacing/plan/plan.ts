/** A campaign's plan to spend in its period, as far as results are assessed by it. Pure. */

import { remembered } from '../../../../concurrency/remembered.ts'
import type { PacingPlan } from '../../../../database/tables/json-columns.ts'
import {
  calendarDay,
  dateAt,
  type EpochSpan,
  openSpans,
  type Schedule,
} from '../../schedule/dayparting.ts'
import { openTime } from '../../schedule/open-time.ts'
import { dayNumberOf, daysIn } from './days.ts'
import { type Flight, type Flown, flightOf, periodOf } from './period.ts'
import type { PlanStep } from './steps.ts'

export type Plan = PacingPlan

const dayMs = 86_400_000
/** Weeks that begin before the period or end after it are assessed as a whole. */
export const leadDays = 7
const leadMs = leadDays * dayMs
/** Days this far ahead are planned one by one. A plan is made again each day. */
const aheadMs = 40 * dayMs

export function planOf(campaign: Flown, steps: readonly PlanStep[], now: number): Plan {
  const { time_zone: timeZone, lifetime_budget_minor: lifetimeMinor } = campaign
  const flight = flightOf(campaign, now)
  const period = periodOf(campaign, now)
  const [first, end] = [period.start - leadMs, flight.end ?? Number.POSITIVE_INFINITY]
  const horizon = endOfDay(timeZone, Math.max(now, period.start) + aheadMs)
  const span = {
    start: Math.max(flight.start, first),
    end: Math.min(end, horizon, (period.end ?? horizon) + leadMs),
  }
  const schedule = steps.at(-1)?.schedule ?? []
  const beyond = { start: span.end, end: Math.max(span.end, period.end ?? span.end) }
  return {
    period,
    from: dayNumberAt(timeZone, period.start),
    to: period.end === null ? null : dayAfter(timeZone, period),
    lifetimeMinor,
    days: daysIn(timeZone, span, steps),
    rest: restOf(schedule, timeZone, beyond),
  }
}

/** From when on the history of the campaign is part of its plan; RFC 3339. */
export function plannedSince(campaign: Flown, now: number): string {
  const start = periodOf(campaign, now).start - leadMs
  return new Date(Math.max(start, flightOf(campaign, now).start)).toISOString()
}

/** A report assesses many campaigns of few zones at one instant. */
const knownDays = remembered<{ number: number; end: number }>(500)

const dayAt = (timeZone: string, time: number) =>
  knownDays(`${timeZone} ${time}`, () => {
    const date = dateAt(timeZone, time)
    return { number: dayNumberOf(date.toString()), end: calendarDay(timeZone, date).end }
  })

export const dayNumberAt = (timeZone: string, time: number): number => dayAt(timeZone, time).number

/** The number of the day after a period, which may end within a day. */
const dayAfter = (timeZone: string, { start, end }: Flight): number =>
  dayNumberAt(timeZone, Math.max(start, (end ?? start) - 1)) + 1

export const endOfDay = (timeZone: string, time: number): number => dayAt(timeZone, time).end

/** Far ahead, days are counted by the week. */
function restOf(schedule: Schedule, timeZone: string, { start, end }: EpochSpan): Plan['rest'] {
  if (end <= start) return { days: 0, openMs: 0 }
  const span = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
  const { totalMs } = openTime(schedule, timeZone, span)
  const first = dayNumberAt(timeZone, start)
  const count = dayNumberAt(timeZone, end - 1) + 1 - first
  if (schedule.length === 0) return { days: count, openMs: totalMs }
  const weekdays = new Set(schedule.map(({ day }) => weekdayNames.indexOf(day)))
  let days = Math.floor(count / 7) * weekdays.size
  for (let at = 0; at < count % 7; at += 1) if (weekdays.has(weekdayOf(first + at))) days += 1
  return { days, openMs: totalMs }
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** 0 is Sunday; 1 January 1970 was a Thursday. */
export const weekdayOf = (dayNumber: number): number => (dayNumber + 4) % 7

/** How much of a day's open time is left after an instant, in a flight that may end that day. */
export function openAfter(
  { schedule, timeZone, end }: { schedule: Schedule; timeZone: string; end: number | null },
  time: number,
): number {
  const ends = Math.min(endOfDay(timeZone, time), end ?? Number.POSITIVE_INFINITY)
  const span = { start: time, end: Math.max(time, ends) }
  return openSpans(schedule, timeZone, span).reduce((sum, { start, end }) => sum + end - start, 0)
}
