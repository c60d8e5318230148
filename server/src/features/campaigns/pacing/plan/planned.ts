/** The plan of a campaign by day, for the months that its client looks at. Pure. */

import { plus, rounded, zero } from '../../../../values/fraction.ts'
import { dateAt, type EpochSpan } from '../../schedule/dayparting.ts'
import { type ShareOfDay, shareOfDay } from './daily.ts'
import { dateOf, dayNumberOf, daysIn, runsBetween } from './days.ts'
import { type Flown, flightOf, monthAt } from './period.ts'
import type { Plan } from './plan.ts'
import type { PlanStep } from './steps.ts'

/** Minor units, a day each from `from` on. */
export type PlannedDays = { from: string; minors: readonly number[] }

/** A client's month may be another than the campaign's for as long, wherever they are. */
const apartMs = 2 * 86_400_000

/** The months that may be a client's present or next one; in milliseconds since the epoch. */
export function plannedSpan(timeZone: string, now: number): EpochSpan {
  const { start } = monthAt(timeZone, now - apartMs)
  const { end } = monthAt(timeZone, now + apartMs)
  return { start, end: monthAt(timeZone, end).end }
}

type Flying = { steps: readonly PlanStep[]; now: number }

export function plannedDaysOf(
  campaign: Flown,
  { plan, ...flying }: Flying & { plan: Plan },
): PlannedDays {
  const span = plannedSpan(campaign.time_zone, flying.now)
  const { from, minors } = plannedIn(campaign, { ...flying, span, share: shareOfDay(plan) })
  return { from, minors: minors.map((minor) => minor ?? 0) }
}

/** The days that a span in the campaign's zone touches; null on those on which it does not run. */
type RunDays = { from: string; minors: readonly (number | null)[] }

/**
 * Pauses are no part of it, the time to come of a paused campaign neither. A lifetime budget goes by
 * its share of the whole flight's open time; without an end there is no share.
 */
export function plannedIn(
  campaign: Flown,
  { share, steps, now, span }: Flying & { share: ShareOfDay; span: EpochSpan },
): RunDays {
  const { time_zone: timeZone } = campaign
  const [first, last] = [dayAt(timeZone, span.start), dayAt(timeZone, span.end - 1)]
  const flight = flightOf(campaign, now)
  const flown = {
    start: Math.max(span.start, flight.start),
    end: Math.min(span.end, flight.end ?? span.end),
  }
  if (flown.start >= flown.end) return { from: dateOf(first), minors: [] }
  const days = daysIn(timeZone, flown, steps)
  const minors: (number | null)[] = []
  let sum = zero
  for (let day = first; day <= last; day += 1) {
    const [run] = runsBetween(days, day, day + 1)
    const before = rounded(sum)
    // Rounded so that the days add up.
    if (run) sum = plus(sum, share(run))
    minors.push(run && run.runMs > 0 ? Number(rounded(sum) - before) : null)
  }
  return { from: dateOf(first), minors }
}

const dayAt = (timeZone: string, time: number): number =>
  dayNumberOf(dateAt(timeZone, time).toString())
