/** How long a schedule is open, and whether one schedule lies within another. Pure. */

import {
  days,
  type Schedule,
  type ScheduleWindow,
  type Span,
  windowsBetween,
} from './dayparting.ts'

const quarterMs = 15 * 60_000
const quartersADay = 96
const dayMs = quartersADay * quarterMs
const weekMs = 7 * dayMs

/** Open time over the whole span, and the maximum on any one day. */
export type OpenTime = { totalMs: number; maxDayMs: number }

export function openTime(schedule: Schedule, timeZone: string, { start, end }: Span): OpenTime {
  const lengthMs = Date.parse(end) - Date.parse(start)
  if (schedule.length === 0) return { totalMs: lengthMs, maxDayMs: dayMs }
  const byDay = days.map((day) => sum(schedule.filter((each) => each.day === day).map(windowMs)))
  // Whole weeks are alike but for clock changes: only the remainder is computed by date.
  const weeks = Math.floor(lengthMs / weekMs)
  const restEnd = new Date(Date.parse(end) - weeks * weekMs).toISOString()
  const rest = windowsBetween(schedule, timeZone, { start, end: restEnd })
  const restMs = sum(rest.map((span) => Date.parse(span.end) - Date.parse(span.start)))
  return { totalMs: weeks * sum(byDay) + restMs, maxDayMs: Math.max(...byDay) }
}

/** Whether `inner` is open only while `outer` is. */
export function isWithinSchedule(inner: Schedule, outer: Schedule): boolean {
  if (outer.length === 0) return true
  const open = quartersOf(outer)
  return inner.length === 0 ? open.size === 7 * quartersADay : quartersOf(inner).isSubsetOf(open)
}

/** The quarter hours of the week during which it is open. */
function quartersOf(schedule: Schedule): Set<number> {
  const open = new Set<number>()
  for (const { day, start, end } of schedule) {
    const midnight = days.indexOf(day) * quartersADay
    for (let at = quarterOf(start); at < quarterOf(end); at += 1) open.add(midnight + at)
  }
  return open
}

const windowMs = ({ start, end }: ScheduleWindow) => (quarterOf(end) - quarterOf(start)) * quarterMs

/** `HH:MM` as quarter hours since midnight. */
function quarterOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 4 + minutes / 15
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
