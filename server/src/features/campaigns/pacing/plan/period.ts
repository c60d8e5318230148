/** The time over which a campaign's spending is assessed. Pure; times are milliseconds since the epoch. */

import { calendarDay, dateAt } from '../../schedule/dayparting.ts'

/** `end` is null where there is none. */
export type Flight = { start: number; end: number | null }

/** Times are RFC 3339. */
export type Flown = {
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  launched_at: string | null
  completed_at: string | null
  time_zone: string
}

/** From its start, or its launch if that was later, to its end, or its completion if that was earlier. */
export function flightOf(campaign: Flown, now: number): Flight {
  const begun = timesOf(campaign.launched_at, campaign.start_at)
  const ended = timesOf(campaign.end_at, campaign.completed_at)
  const start = begun.length === 0 ? now : Math.max(...begun)
  return { start, end: ended.length === 0 ? null : Math.max(start, Math.min(...ended)) }
}

const timesOf = (...texts: (string | null)[]): number[] =>
  texts.flatMap((text) => (text === null ? [] : [Date.parse(text)]))

/**
 * The flight, with a lifetime budget; else the calendar month of the campaign's zone, cut to the
 * flight. Before the flight it is its first month, after it its last.
 */
export function periodOf(campaign: Flown, now: number): Flight {
  const flight = flightOf(campaign, now)
  if (campaign.lifetime_budget_minor !== null) return flight
  const last = flight.end === null ? now : Math.min(now, flight.end - 1)
  const month = monthAt(campaign.time_zone, Math.max(flight.start, last))
  return {
    start: Math.max(flight.start, month.start),
    end: flight.end === null ? month.end : Math.min(flight.end, month.end),
  }
}

/** The calendar month in which an instant is. */
export function monthAt(timeZone: string, time: number): { start: number; end: number } {
  const first = dateAt(timeZone, time).with({ day: 1 })
  const next = first.add({ months: 1 })
  return {
    start: calendarDay(timeZone, first).start,
    end: calendarDay(timeZone, next).start,
  }
}
