/** Computes the budget and the open time of a campaign on each day of a span. Pure. */

import { remembered } from '../../../../concurrency/remembered.ts'
import type { PacingDays } from '../../../../database/tables/json-columns.ts'
import {
  type CalendarDay,
  calendarDays,
  type EpochSpan,
  openSpans,
} from '../../schedule/dayparting.ts'
import type { PlanStep } from './steps.ts'

export type DayRun = PacingDays

/** `first` is a day number: days since 1970-01-01, as a calendar date without a zone. */
export type Days = { first: number; runs: readonly DayRun[] }

const dayMs = 86_400_000

export const dayNumberOf = (date: string): number => Date.parse(date) / dayMs

/** Many campaigns are assessed by the same few days. */
const dates = remembered<string>(1_000)

export const dateOf = (dayNumber: number): string =>
  dates(dayNumber, () => new Date(dayNumber * dayMs).toISOString().slice(0, 10))

/** The days that a part of the flight touches; what lies outside of it does not count. */
export function daysIn(timeZone: string, span: EpochSpan, steps: readonly PlanStep[]): Days {
  const calendar = calendarDays(timeZone, span)
  const days = calendar.map((): DayRun => ({ ...unplanned }))
  for (const [at, step] of steps.entries()) {
    const start = Math.max(step.start, span.start)
    const end = Math.min(steps[at + 1]?.start ?? Number.POSITIVE_INFINITY, span.end)
    if (start < end) addStep({ timeZone, calendar, days }, step, { start, end })
  }
  return { first: dayNumberOf(calendar[0]?.date ?? '1970-01-01'), runs: joined(days) }
}

const unplanned: DayRun = { count: 1, budgetMinor: null, highestMinor: null, openMs: 0, runMs: 0 }

type Sheet = { timeZone: string; calendar: readonly CalendarDay[]; days: DayRun[] }

function addStep({ timeZone, calendar, days }: Sheet, step: PlanStep, span: EpochSpan): void {
  eachOverlap(calendar, span, (at) => {
    const day = days[at]
    if (!day) return
    day.budgetMinor = step.dailyMinor
    day.highestMinor = higher(day.highestMinor, step.dailyMinor)
  })
  for (const open of openSpans(step.schedule, timeZone, span)) {
    eachOverlap(calendar, open, (at, ms) => {
      const day = days[at]
      if (!day) return
      day.openMs += ms
      if (step.isRunning) day.runMs += ms
    })
  }
}

const higher = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

function eachOverlap(
  calendar: readonly CalendarDay[],
  { start, end }: EpochSpan,
  visit: (at: number, ms: number) => void,
): void {
  for (let at = firstEndingAfter(calendar, start); at < calendar.length; at += 1) {
    const day = calendar[at]
    if (!day || day.start >= end) return
    const ms = Math.min(day.end, end) - Math.max(day.start, start)
    if (ms > 0) visit(at, ms)
  }
}

/** Days are in order, so it is found by halving. */
function firstEndingAfter(calendar: readonly CalendarDay[], time: number): number {
  let [low, high] = [0, calendar.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((calendar[middle]?.end ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

function joined(days: readonly DayRun[]): DayRun[] {
  const runs: DayRun[] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last && isAlike(last, day)) last.count += 1
    else runs.push({ ...day })
  }
  return runs
}

const isAlike = (one: DayRun, other: DayRun) =>
  one.budgetMinor === other.budgetMinor &&
  one.highestMinor === other.highestMinor &&
  one.openMs === other.openMs &&
  one.runMs === other.runMs

/** The runs between two day numbers, half-open, each cut to them. */
export function* runsBetween({ first, runs }: Days, from: number, to: number): Generator<DayRun> {
  let start = first
  for (const run of runs) {
    const end = start + run.count
    const count = Math.min(end, to) - Math.max(start, from)
    if (count > 0) yield count === run.count ? run : { ...run, count }
    start = end
  }
}

/** A sum over days. */
export function sumOver(
  days: Days,
  [from, to]: readonly [number, number],
  of: (run: DayRun) => number,
): number {
  let sum = 0
  for (const run of runsBetween(days, from, to)) sum += run.count * of(run)
  return sum
}
