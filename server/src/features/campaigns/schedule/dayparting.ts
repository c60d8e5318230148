import { LruMap } from 'toad-cache'
import { remembered } from '../../../concurrency/remembered.ts'

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

/** By weekday, the quarter hours of its date that have begun; of the days around an instant only. */
export type BegunTimes = Readonly<Record<string, readonly string[]>>

/**
 * `isWithin`, prepared for many schedules: a window is open if its start is among its day's times,
 * and its end is not.
 */
export function begunTimes(timeZone: string, instant: string): BegunTimes {
  const { epochMs, dates } = surroundings(timeZone, instant)
  const begun = dates.map(({ day, epochMsAt }) => [
    day,
    quarterHours.filter((time) => epochMsAt(time) <= epochMs),
  ])
  return Object.fromEntries(begun)
}

/** `00:00` to `24:00`. */
const quarterHours = Array.from({ length: 97 }, (_, at) =>
  [Math.floor(at / 4), (at % 4) * 15].map((part) => String(part).padStart(2, '0')).join(':'),
)

/** The open spans within a span, in order; adjacent and overlapping ones are merged. */
export function windowsBetween(schedule: Schedule, timeZone: string, span: Span): Span[] {
  if (schedule.length === 0) return [span]
  const within = { start: Date.parse(span.start), end: Date.parse(span.end) }
  return openSpans(schedule, timeZone, within).map(({ start, end }) => ({
    start: isoTextOf(start),
    end: isoTextOf(end),
  }))
}

/** `windowsBetween` in milliseconds since the epoch. */
export function openSpans(schedule: Schedule, timeZone: string, within: EpochSpan): EpochSpan[] {
  if (schedule.length === 0) return [within]
  const { start: from, end: to } = within
  const found = datesOf(timeZone, from, to).flatMap((date) => openOn(schedule, date))
  return merged(found)
    .map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
    .filter(({ start, end }) => start < end)
}

/** A calendar date in a time zone: its first instant, and that of the next date. */
export type CalendarDay = { date: string; start: number; end: number }

/** The dates that a span of instants touches, in order. A date that the clock skips is empty. */
export function calendarDays(timeZone: string, { start, end }: EpochSpan): CalendarDay[] {
  if (end <= start) return []
  const first = numberOf(dateAt(timeZone, start))
  const count = numberOf(dateAt(timeZone, end - 1)) - first + 1
  return Array.from({ length: count }, (_, at) => localDate(timeZone, first + at).calendar)
}

export const calendarDay = (timeZone: string, date: Temporal.PlainDate): CalendarDay =>
  localDate(timeZone, numberOf(date)).calendar

/** The calendar date of an instant. */
export const dateAt = (timeZone: string, epochMs: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate()

/** Milliseconds since the epoch, half-open. */
export type EpochSpan = { start: number; end: number }

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

const isoTextOf = (epochMs: number): string => new Date(epochMs).toISOString()

/** A calendar date in a time zone; `epochMsAt` resolves a wall-clock time on it. */
type LocalDate = { day: Day; calendar: CalendarDay; epochMsAt(time: string): number }

/** Every date whose windows can overlap the span. */
function datesOf(timeZone: string, from: number, to: number): LocalDate[] {
  // One day earlier: clock changes over midnight and skipped days can shift a date's windows.
  const first = numberOf(dateAt(timeZone, from)) - 1
  const count = numberOf(dateAt(timeZone, to)) - first + 2
  return Array.from({ length: count }, (_, at) => localDate(timeZone, first + at))
}

// Lists evaluate many campaigns in few time zones on the same few dates.
const localDates = remembered<LocalDate>(5_000)
/** The newest instant of each zone: those before it are not asked for again. */
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

/** By the number of days since 1970-01-01, which costs less to count than dates. */
const localDate = (timeZone: string, number: number): LocalDate =>
  localDates(`${timeZone} ${number}`, () => newLocalDate(timeZone, epoch.add({ days: number })))

const epoch = Temporal.PlainDate.from('1970-01-01')

const numberOf = ({ year, month, day }: Temporal.PlainDate): number =>
  Date.UTC(year, month - 1, day) / dayMs

function newLocalDate(timeZone: string, date: Temporal.PlainDate): LocalDate {
  const times = new Map<string, number>()
  const midnight = instantOf(timeZone, date, '00:00')
  const make = changesClock(midnight)
    ? (time: string) => instantOf(timeZone, date, time).epochMilliseconds
    : (time: string) => midnight.epochMilliseconds + msOf(time)
  const epochMsAt = (time: string): number => {
    const known = times.get(time)
    if (known !== undefined) return known
    const made = make(time)
    times.set(time, made)
    return made
  }
  return {
    day: days[date.dayOfWeek - 1] ?? 'mon',
    calendar: { date: date.toString(), start: epochMsAt('00:00'), end: epochMsAt('24:00') },
    epochMsAt,
  }
}

/** Whether the clock changes on the date that begins here. Most dates need only arithmetic. */
function changesClock(midnight: Temporal.ZonedDateTime): boolean {
  // A change at midnight itself belongs to this date.
  const next = midnight.subtract({ milliseconds: 1 }).getTimeZoneTransition('next')
  return next !== null && next.epochMilliseconds <= midnight.epochMilliseconds + dayMs
}

/** `HH:MM` as time since midnight. */
function msOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

const dayMs = msOf('24:00')

/** A skipped time is moved forward by the gap; of a repeated time, the first occurrence counts. */
function instantOf(
  timeZone: string,
  date: Temporal.PlainDate,
  time: string,
): Temporal.ZonedDateTime {
  const wallTime =
    time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(time)
  return wallTime.toZonedDateTime(timeZone, { disambiguation: 'compatible' })
}
