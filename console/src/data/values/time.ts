/** Times come in UTC; people read and type them on the wall clock of a zone. */

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone })
    formats.set(key, format)
  }
  return format
}

const dayAndTime: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}
const toSecond: Intl.DateTimeFormatOptions = { ...dayAndTime, second: '2-digit' }
const exact: Intl.DateTimeFormatOptions = {
  ...dayAndTime,
  second: '2-digit',
  timeZoneName: 'short',
}
const dayOnly: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: '2-digit' }

export const formatTime = (time: string, zone = ownZone): string =>
  formatOf(zone, dayAndTime).format(new Date(time))

export const formatSecond = (time: string, zone = ownZone): string =>
  formatOf(zone, toSecond).format(new Date(time))

export const formatExactTime = (time: string, zone = ownZone): string =>
  formatOf(zone, exact).format(new Date(time))

/**
 * The place of a clock that is not the reader's: `Tokyo`, `UTC`. Null if both show the same, so
 * that a time without a word is always on the reader's own clock.
 */
export const zoneNote = (time: string, zone: string): string | null =>
  zone === ownZone || wallOf(time, zone) === wallOf(time, ownZone)
    ? null
    : (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

export const formatDay = (time: string, zone = ownZone): string =>
  formatOf(zone, dayOnly).format(new Date(time))

/** A day of the calendar, `2026-11-21`, which is in no zone. */
export const formatDate = (date: string): string => formatDay(date, 'UTC')

/** A date without its year, where that goes without saying. */
export const formatShortDate = (date: string): string =>
  formatOf('UTC', { month: 'short', day: '2-digit' }).format(new Date(date))

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

export const formatWeekday = (time: string, zone: string): string =>
  formatOf(zone, { weekday: 'short' }).format(new Date(time))

/** `3 min. ago`, `in 2 days`. */
export function formatAge(time: string, now: number): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1_000)
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return relative.format(seconds, 'second')
}

const wallFormat: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

/** The wall clock of a zone as `2026-03-29T02:30`, as inputs have it. */
export function wallOf(time: string | number | Date, zone: string): string {
  const key = `wall ${zone}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-CA', { ...wallFormat, timeZone: zone })
  formats.set(key, format)
  const parts = Object.fromEntries(
    format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/**
 * The instant of a wall clock. Where clocks go forward, a skipped time is moved on by the gap;
 * where they go back, the earlier of the two is taken, as the service does.
 */
export function instantOf(wall: string, zone: string): string {
  const asUtc = Date.parse(`${wall}Z`)
  const offsets = [asUtc - dayMs, asUtc + dayMs].map((at) => offsetAt(at, zone))
  const candidates = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b)
  const match = candidates.find((at) => wallOf(at, zone) === wall.slice(0, 16))
  const [before = 0] = offsets
  return new Date(match ?? asUtc - before).toISOString()
}

function offsetAt(at: number, zone: string): number {
  const minute = Math.floor(at / 60_000) * 60_000
  return Date.parse(`${wallOf(minute, zone)}Z`) - minute
}

export const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/**
 * The instants at which a zone's clocks show it: none where they skip it, two where they go back
 * over it.
 */
export function instantsOf(wall: string, zone: string): readonly string[] {
  const asUtc = Date.parse(`${wall}Z`)
  const offsets = [asUtc - dayMs, asUtc + dayMs].map((at) => offsetAt(at, zone))
  return [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((at) => wallOf(at, zone) === wall.slice(0, 16))
    .sort((a, b) => a - b)
    .map((at) => new Date(at).toISOString())
}

export const dayMs = 86_400_000

/** `2026-03-01` and -1: `2026-02-28`. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

const minuteMs = 60_000

/** Clocks go from one wall clock time to another. */
export type ClockChange = { at: string; from: string; to: string }

/** The changes of a zone's clocks between two instants. */
export function clockChanges(zone: string, start: string, end: string): readonly ClockChange[] {
  const changes: ClockChange[] = []
  const last = Date.parse(end)
  for (let at = Date.parse(start); at < last; at += dayMs) {
    const next = Math.min(at + dayMs, last)
    if (offsetAt(at, zone) !== offsetAt(next, zone)) changes.push(changeBetween(zone, at, next))
  }
  return changes
}

function changeBetween(zone: string, start: number, end: number): ClockChange {
  const before = offsetAt(start, zone)
  let [low, high] = [Math.floor(start / minuteMs), Math.ceil(end / minuteMs)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * minuteMs, zone) === before) low = middle
    else high = middle
  }
  const at = high * minuteMs
  const from = new Date(at + before).toISOString().slice(0, 16)
  return { at: new Date(at).toISOString(), from, to: wallOf(at, zone) }
}

/** The same wall clock time in another zone. */
export const inZone = (time: string, from: string, to: string): string =>
  instantOf(wallOf(time, from), to)
