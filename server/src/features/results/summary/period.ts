/** The days that results are summed up of, and those that they are compared with. */

import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { type Filter, refused } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import { choice, text } from '../../../schema/fields.ts'
import { isTimeZone } from '../../../values/times.ts'
import {
  dayIn,
  daysAfter,
  lengthOf,
  monthAfter,
  monthOf,
  type Range,
  rangeFilters,
  rangeOf,
} from '../calendar.ts'

export const periods = [
  ...(['today', 'yesterday', 'last_7_days', 'last_30_days'] as const),
  ...(['this_month', 'last_month', 'this_quarter', 'this_year'] as const),
] as const
export type Period = (typeof periods)[number]

export const comparisons = ['previous_period', 'previous_year'] as const

const always = () => ({ condition: sql<boolean>`true` })

const period: Filter = {
  schema: choice(periods, {
    description: 'In place of `from` and `to`: `last_…` ends yesterday, `this_…` today.',
  }),
  read([value = ''], name, { from, to }) {
    if (!periods.some((each) => each === value)) return notOne(name, value, periods)
    const other = from === undefined ? (to === undefined ? undefined : 'to') : 'from'
    if (other === undefined) return always()
    return refused(name, 'duplicate_item', { message: `cannot be sent together with ${other}` })
  },
}

const timeZone: Filter = {
  schema: Type.String({
    maxLength: 64,
    description: 'IANA time zone in which today begins. Default: the organization’s.',
    examples: ['Europe/Riga'],
  }),
  read([value = ''], name) {
    if (isTimeZone(value)) return always()
    const message = 'is not an IANA time zone such as Europe/Riga'
    return refused(name, 'invalid_format', { message, given: value.slice(0, 80) })
  },
}

const compare: Filter = {
  schema: choice(comparisons, {
    description: 'Adds `previous` and `change`: as many days before, or a year before.',
  }),
  read: ([value = ''], name) =>
    comparisons.some((each) => each === value) ? always() : notOne(name, value, comparisons),
}

const notOne = (name: string, given: string, allowed: readonly string[]) =>
  refused(name, 'invalid_enum_value', {
    message: 'is not one of the allowed values',
    allowed,
    given: given.slice(0, 80),
  })

export const periodFilters = {
  ...rangeFilters({ from: 'the first of this month', to: 'the first of next month' }),
  period,
  time_zone: timeZone,
}
export const comparisonFilter = { compare }

/** The days asked for; throws 400 where a default makes the range empty or too long. */
export function rangeIn(ctx: Context, filters: Received, maxDays?: number): Range {
  const today = dayIn(nowIn(ctx))(String(filters.time_zone ?? ctx.organization.timeZone))
  const asked = periods.find((each) => each === filters.period)
  const month = { from: monthOf(today), to: monthAfter(today) }
  return rangeOf(filters, asked ? rangeOfPeriod(asked, today) : month, maxDays)
}

export function rangeOfPeriod(asked: Period, today: string): Range {
  const tomorrow = daysAfter(today, 1)
  const month = monthOf(today)
  const ranges: Record<Period, Range> = {
    today: { from: today, to: tomorrow },
    yesterday: { from: daysAfter(today, -1), to: today },
    last_7_days: { from: daysAfter(today, -7), to: today },
    last_30_days: { from: daysAfter(today, -30), to: today },
    this_month: { from: month, to: tomorrow },
    last_month: { from: monthOf(daysAfter(month, -1)), to: month },
    this_quarter: { from: quarterOf(today), to: tomorrow },
    this_year: { from: `${today.slice(0, 4)}-01-01`, to: tomorrow },
  }
  return ranges[asked]
}

function quarterOf(day: string): string {
  const { year, month } = Temporal.PlainDate.from(day)
  return Temporal.PlainDate.from({ year, month: month - ((month - 1) % 3), day: 1 }).toString()
}

/** The days to compare with, and the interval after which the days asked for stand beside them. */
export type Earlier = { readonly range: Range; readonly interval: string }

/** Undefined if nothing is to be compared. */
export function earlierThan({ from, to }: Range, { compare }: Received): Earlier | undefined {
  if (compare === 'previous_year') {
    return { range: { from: yearBefore(from), to: yearBefore(to) }, interval: '1 year' }
  }
  if (compare !== 'previous_period') return undefined
  const days = lengthOf({ from, to })
  return { range: { from: daysAfter(from, -days), to: from }, interval: `${days} days` }
}

const yearBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ years: 1 }).toString()

export const ResultRange = Type.Object(
  { from: text('The first day.'), to: text('The day after the last one.') },
  { title: 'ResultRange', description: 'Half-open.' },
)
