/** Days of time zones, as `YYYY-MM-DD`, which sort chronologically. */

import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../../problems/fault.ts'
import type { Filter } from '../../query/filters.ts'
import { badParameters, type Received } from '../../query/parameters.ts'
import { isDate } from '../../values/times.ts'

/** The day of an instant in any time zone; each zone is computed once. */
export function dayIn(instant: string): (timeZone: string) => string {
  const time = Temporal.Instant.from(instant)
  const known = new Map<string, string>()
  return (timeZone) => {
    const day = known.get(timeZone) ?? time.toZonedDateTimeISO(timeZone).toPlainDate().toString()
    known.set(timeZone, day)
    return day
  }
}

export const daysAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString()

export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`

export const monthAfter = (date: string): string =>
  Temporal.PlainDate.from(monthOf(date)).add({ months: 1 }).toString()

/** Half-open. */
export type Range = { readonly from: string; readonly to: string }

export const lengthOf = ({ from, to }: Range): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days

const maxDays = 1_100

/** Checked here; what it selects is up to the statement. */
const dateFilter = (description: string): Filter => ({
  schema: Type.String({ format: 'date', description }),
  read(_, name, received) {
    const fault = dateFault(name, received) ?? (name === 'to' ? rangeFault(received) : undefined)
    return fault ? { fault } : { condition: sql<boolean>`true` }
  },
})

/** The filters by a range of days, with the default of each end. */
export const rangeFilters = (defaults: { from: string; to: string }) => ({
  from: dateFilter(`First day, ${firstDay} or later. Default: ${defaults.from}.`),
  to: dateFilter(
    `The day after the last one, at most ${maxDays} days after \`from\`. Default: ${defaults.to}.`,
  ),
})

/** Between these days even a year before, or a range of the maximum length, has four digits. */
const [firstDay, lastDay] = ['1970-01-01', '8999-12-31'] as const

function dateFault(name: string, received: Received): Fault | undefined {
  const given = String(received[name])
  if (!isDate(given)) {
    const message = 'is not a day such as 2026-11-21'
    return { parameter: name, code: 'invalid_format', message, given: given.slice(0, 80) }
  }
  if (given >= firstDay && given <= lastDay) return undefined
  const message = `must be ${firstDay} to ${lastDay}`
  return { parameter: name, code: 'out_of_range', message, given }
}

/** The fault of a range with both ends given. */
function rangeFault({ from, to }: Received): Fault | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  return isDate(from) ? lengthFault({ from, to }) : undefined
}

function lengthFault({ from, to }: Range, days = maxDays): Fault | undefined {
  if (to <= from) {
    const message = `must be after from, which is ${from}`
    return { parameter: 'to', code: 'end_before_start', message, given: to }
  }
  const limit = daysAfter(from, days)
  if (to <= limit) return undefined
  const message = `must be at most ${days} days after from`
  return { parameter: 'to', code: 'out_of_range', message, limit, given: to }
}

/** The range asked for; throws 400 where a default makes it empty or too long. */
export function rangeOf(
  given: { from?: unknown; to?: unknown },
  defaults: Range,
  days = maxDays,
): Range {
  const range = { from: String(given.from ?? defaults.from), to: String(given.to ?? defaults.to) }
  const fault = lengthFault(range, days)
  if (fault) throw badParameters([fault])
  return range
}
