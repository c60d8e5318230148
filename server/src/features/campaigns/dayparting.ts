import { LruMap } from 'toad-cache'

/** Dayparting: converts weekly windows on a time zone's wall clock to instants. Pure. */

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Day = (typeof days)[number]

/** `HH:MM` on a weekday, half-open; the end may be `24:00`. */
export type ScheduleWindow = { day: Day; start: string; end: string }

/** Empty means always open. */
export type Schedule = readonly ScheduleWindow[]

const always: Schedule = []

/** The column is null for "always", and jsonb does not keep key order. */
export const scheduleOf = ({ schedule }: { schedule: Schedule | null }): Schedule =>
  schedule?.map(({ day, start, end }) => ({ day, start, end })) ?? always

/** Half-open `[start, end)`, RFC 3339 UTC strings. */
export type Span = { start: string; end: string }

/** Whether the schedule is open at this instant, an RFC 3339 UTC string. */
export function isWithin(schedule: Schedule, timeZone: string, instant: string): boolean {
  if (schedule.length === 0) return true
  const { epochMs, dates } = surroundings(timeZone, instant)
  return dates.some(({ day, epochMsAt }) =>
    schedule.some(
      (window) =>
        window.day === day && epochMsAt(window.start) <= epochMs && epochMs < epochMsAt(window.end),
    ),
  )
}

/** The open spans within a span, in order; adjacent and overlapping ones are merged. */
export function windowsBetween(schedule: Schedule, timeZone: string, span: Span): Span[] {
  if (schedule.length === 0) return [span]
  const [from, to] = [Date.parse(span.start), Date.parse(span.end)]
  const found = datesOf(timeZone, from, to).flatMap((date) => openOn(schedule, date))
  return merged(found)
    .map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start: textOf(start), end: textOf(end) }))
}

type EpochSpan = { start: number; end: number }

/** Drops a window that is empty because the clock skips it. */
const openOn = (schedule: Schedule, { day, epochMsAt }: LocalDate): EpochSpan[] =>
  schedule
    .filter((window) => window.day === day)
    .map(({ start, end }) => ({ start: epochMsAt(start), end: epochMsAt(end) }))
    .filter(({ start, end }) => start < end)

function merged(spans: EpochSpan[]): EpochSpan[] {
  const result: EpochSpan[] = []
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

const textOf = (epochMs: number): string => new Date(epochMs).toISOString()

/** A calendar date in a time zone; `epochMsAt` resolves a wall-clock time on it. */
type LocalDate = { day: Day; epochMsAt(time: string): number }

/** Every date whose windows can overlap the span. */
function datesOf(timeZone: string, from: number, to: number): LocalDate[] {
  // One day earlier: clock changes over midnight and skipped days can shift a date's windows.
  const first = dateAt(timeZone, from).subtract({ days: 1 })
  const count = first.until(dateAt(timeZone, to)).days + 2
  return Array.from({ length: count }, (_, at) => localDate(timeZone, first.add({ days: at })))
}

const dateAt = (timeZone: string, epochMs: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate()

// Lists evaluate many campaigns in few time zones on the same few dates.
const dateCache = new LruMap<LocalDate>(2_000)
const surroundingsCache = new LruMap<Surroundings>(500)

type Surroundings = { instant: string; epochMs: number; dates: LocalDate[] }

function surroundings(timeZone: string, instant: string): Surroundings {
  const known = surroundingsCache.get(timeZone)
  if (known?.instant === instant) return known
  const epochMs = Date.parse(instant)
  const made = { instant, epochMs, dates: datesOf(timeZone, epochMs, epochMs) }
  surroundingsCache.set(timeZone, made)
  return made
}

function localDate(timeZone: string, date: Temporal.PlainDate): LocalDate {
  const key = `${timeZone} ${date}`
  const known = dateCache.get(key)
  if (known) return known
  const made = newLocalDate(timeZone, date)
  dateCache.set(key, made)
  return made
}

function newLocalDate(timeZone: string, date: Temporal.PlainDate): LocalDate {
  const times = new Map<string, number>()
  const epochMsAt = (time: string): number => {
    const known = times.get(time)
    if (known !== undefined) return known
    const made = epochMsOf(timeZone, date, time)
    times.set(time, made)
    return made
  }
  return { day: days[date.dayOfWeek - 1] ?? 'mon', epochMsAt }
}

/** A skipped time is moved forward by the gap; of a repeated time, the first occurrence counts. */
function epochMsOf(timeZone: string, date: Temporal.PlainDate, time: string): number {
  const wallTime =
    time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(time)
  return wallTime.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}
