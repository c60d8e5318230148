/** Periods that are kept: relative ones by their name, others by both ends. */

import { type Context, nowIn } from '../../../kernel/context.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { isDate } from '../../../values/times.ts'
import { dayIn, daysAfter, type Range } from '../calendar.ts'
import { periods, rangeOfPeriod } from './period.ts'

export type KeptPeriod = (typeof periods)[number] | Range

const maxDays = 400
const [firstDay, lastDay] = ['1970-01-01', '2199-12-31'] as const

export function periodFaults(period: string | Range, pointer: string): Fault[] {
  if (typeof period === 'string')
    return periods.some((each) => each === period) ? [] : [unknown(pointer, period)]
  const { from, to } = period
  const faults = [...dayFaults(from, `${pointer}/from`), ...dayFaults(to, `${pointer}/to`)]
  if (faults.length > 0) return faults
  if (to <= from) {
    const message = `must be after from, which is ${from}`
    return [fault(`${pointer}/to`, 'end_before_start', message, { given: to })]
  }
  const limit = daysAfter(from, maxDays)
  if (to <= limit) return []
  const message = `must be at most ${maxDays} days after from`
  return [fault(`${pointer}/to`, 'out_of_range', message, { limit, given: to })]
}

const unknown = (pointer: string, given: string) =>
  fault(pointer, 'invalid_enum_value', 'is not one of the known periods', {
    allowed: periods,
    given,
  })

function dayFaults(day: string, pointer: string): Fault[] {
  if (!isDate(day)) {
    return [fault(pointer, 'invalid_format', 'is not a day such as 2026-11-21', { given: day })]
  }
  if (day >= firstDay && day <= lastDay) return []
  return [fault(pointer, 'out_of_range', `must be ${firstDay} to ${lastDay}`, { given: day })]
}

/** The days of a period now, in a time zone. */
export const daysOf = (ctx: Context, period: KeptPeriod, timeZone: string): Range =>
  typeof period === 'string' ? rangeOfPeriod(period, dayIn(nowIn(ctx))(timeZone)) : period
