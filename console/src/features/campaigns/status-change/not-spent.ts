import { addDays, instantOf, wallOf } from '../../../data/values/time.ts'

/** About what the plan would have spent while a campaign was paused. Pure. */

type Span = { start: string; end: string }

type Planned = {
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  launched_at: string | null
  time_zone: string
}

/** From the pause on, as far as the flight had begun and was not over; null where there is nothing. */
export function pausedSpan(
  { start_at, end_at }: Planned,
  { at, now }: { at: string; now: string },
): Span | null {
  const start = start_at !== null && start_at > at ? start_at : at
  const end = end_at !== null && end_at < now ? end_at : now
  return start < end ? { start, end } : null
}

/** Whole days of the campaign's zone, so that each has its share of open time. */
export function daysAround({ start, end }: Span, zone: string): Span {
  const day = (time: string) => wallOf(time, zone).slice(0, 10)
  return { start: midnight(day(start), zone), end: midnight(addDays(day(end), 1), zone) }
}

const midnight = (day: string, zone: string) => instantOf(`${day}T00:00`, zone)

/**
 * The budget of the paused time. A daily budget counts by each day's share of its open time; a
 * lifetime budget alone counts by the share of the flight. `open` are the windows of the days
 * around the span. Null if the plan does not say.
 */
export function notSpent(plan: Planned, span: Span, open: readonly Span[]): number | null {
  const { daily_budget_minor: daily, lifetime_budget_minor: lifetime, time_zone: zone } = plan
  if (daily !== null) {
    const sum = daysIn(daysAround(span, zone), zone)
      .map((day) => shareOf(day, span, open) * daily)
      .reduce((total, part) => total + part, 0)
    return Math.round(lifetime === null ? sum : Math.min(sum, lifetime))
  }
  const begun = plan.start_at ?? plan.launched_at
  if (lifetime === null || begun === null || plan.end_at === null) return null
  const flight = { start: begun, end: plan.end_at }
  return Math.round((lifetime * overlapMs(span, flight)) / Math.max(1, overlapMs(flight, flight)))
}

function daysIn({ start, end }: Span, zone: string): Span[] {
  const days: Span[] = []
  for (let at = start; at < end; ) {
    const next = midnight(addDays(wallOf(at, zone).slice(0, 10), 1), zone)
    days.push({ start: at, end: next })
    at = next
  }
  return days
}

function shareOf(day: Span, span: Span, open: readonly Span[]): number {
  const opened = open.map((window) => within(window, day)).filter((each) => each !== null)
  const all = opened.reduce((sum, each) => sum + overlapMs(each, each), 0)
  const paused = opened.reduce((sum, each) => sum + overlapMs(each, span), 0)
  return all === 0 ? 0 : paused / all
}

function within(one: Span, other: Span): Span | null {
  const start = one.start > other.start ? one.start : other.start
  const end = one.end < other.end ? one.end : other.end
  return start < end ? { start, end } : null
}

function overlapMs(one: Span, other: Span): number {
  const both = within(one, other)
  return both ? Date.parse(both.end) - Date.parse(both.start) : 0
}

/** An estimate has two digits that count. */
export function roughly(minor: number): number {
  const step = 10 ** Math.max(0, `${minor}`.length - 2)
  return Math.round(minor / step) * step
}
