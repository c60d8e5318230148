import { type Fault, fault } from '../problems/fault.ts'

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Normalizes an RFC 3339 time to UTC with milliseconds. */
export function readTime(text: string, pointer: string): { time: string } | { fault: Fault } {
  try {
    if (!rfc3339.test(text)) throw new RangeError('not RFC 3339')
    const instant = Temporal.Instant.from(text.replace(' ', 'T'))
    const time = instant.toString({ fractionalSecondDigits: 3, roundingMode: 'floor' })
    // The offset may move it into a year that RFC 3339 and PostgreSQL cannot represent.
    if (!rfc3339.test(time) || time.startsWith('0000')) throw new RangeError('no such year')
    return { time }
  } catch {
    const given = text.slice(0, 80)
    return { fault: fault(pointer, 'invalid_format', 'is not an RFC 3339 time', { given }) }
  }
}

/** The same for a query parameter, where an unescaped "+" of an offset arrives as a space. */
export function readTimeParameter(
  text: string,
  parameter: string,
): { time: string } | { fault: Fault } {
  const read = readTime(text.replace(/ (?=\d{2}:\d{2}$)/, '+'), '')
  if ('time' in read) return read
  const message = 'is not a time such as 2026-11-21T09:30:00Z'
  return { fault: { parameter, code: 'invalid_format', message, given: text.slice(0, 80) } }
}

const calendarDate = /^\d{4}-\d{2}-\d{2}$/

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!calendarDate.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

const ianaName = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/
const known = new Set(Intl.supportedValuesOf('timeZone'))

/**
 * Accepts IANA names in their own spelling, including links such as Asia/Calcutta; no bare offsets.
 */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true
  if (!ianaName.test(name)) return false
  try {
    const isOwnSpelling = Temporal.Now.zonedDateTimeISO(name).timeZoneId === name
    if (isOwnSpelling) known.add(name)
    return isOwnSpelling
  } catch {
    return false
  }
}

export const unknownTimeZone = (pointer: string, given: string): Fault =>
  fault(pointer, 'invalid_enum_value', 'is not an IANA time zone', { given })

/** Between two readings of `performance.now()`, to a tenth. */
export const secondsSince = (startMs: number, endMs = performance.now()): number =>
  Math.round((endMs - startMs) / 100) / 10

/** An RFC 3339 time to the second, as file names may have it. */
export const timeInFileName = (time: string): string => `${time.slice(0, 19).replaceAll(':', '-')}Z`

/**
 * A calendar month such as `2026-12`; as texts they sort chronologically. Few enough that what is kept by
 * month is bounded.
 */
export const monthPattern = '^20[0-9]{2}-(?:0[1-9]|1[0-2])$'

export const lastMonth = '2099-12'

const monthText = new RegExp(monthPattern)

export const isMonth = (text: string): boolean => monthText.test(text)

export const firstDayOf = (month: string): string => `${month}-01`

/** The month of a day. */
export const monthOfDay = (date: string): string => date.slice(0, 7)

export const monthsAfter = (month: string, months: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()

/** The month in which an instant is, in a time zone. */
export const monthIn = (timeZone: string, instant: string): string =>
  monthOfDay(Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString())

/** From one to another, both included. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = monthsAfter(month, 1)) months.push(month)
  return months
}
