import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../problems/fault.ts'
import { isMonth, lastMonth, monthPattern, monthsAfter, monthsBetween } from '../values/times.ts'
import { type Condition, type Filter, refused } from './filters.ts'
import { filterParameters, type Query } from './list.ts'
import { badParameters } from './parameters.ts'

const always = () => sql<boolean>`true`

/** A parameter that is a calendar month; by default what it selects is up to the verb. */
export const monthFilter = (
  description: string,
  conditionOf: (month: string) => Condition = always,
): Filter => ({
  schema: Type.String({ pattern: monthPattern, examples: ['2026-12'], description }),
  read([given = ''], name) {
    if (isMonth(given)) return { condition: conditionOf(given) }
    const message = 'is not a month such as 2026-12'
    return refused(name, 'invalid_format', { message, given: given.slice(0, 80) })
  },
})

/** How many months are shown without `to`, and at most. */
const [monthsShown, maxMonths] = [12, 36]

export const monthRangeParameters = filterParameters({
  from: monthFilter('First month. Default: this month.'),
  to: monthFilter(
    `Last month, at most ${maxMonths} months in all. Default: ${monthsShown} months in all.`,
  ),
})

/** The months asked for; throws 400 where a default makes them none or too many. */
export function monthsIn({ from, to }: Query, thisMonth: string): string[] {
  const first = from ?? thisMonth
  const last = to ?? earlierOf(monthsAfter(first, monthsShown - 1), lastMonth)
  const fault = rangeFault(first, last)
  if (fault) throw badParameters([fault])
  return monthsBetween(first, last)
}

const earlierOf = (one: string, other: string) => (one < other ? one : other)

function rangeFault(from: string, to: string): Fault | undefined {
  if (to < from) {
    const message = `must not be before from, which is ${from}`
    return { parameter: 'to', code: 'end_before_start', message, given: to }
  }
  const limit = monthsAfter(from, maxMonths - 1)
  if (to <= limit) return undefined
  const message = `must be at most ${maxMonths} months, the first and the last included`
  return { parameter: 'to', code: 'out_of_range', message, limit, given: to }
}
