import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { oneOf } from '../../../kernel/rows.ts'
import type { Fault } from '../../../problems/fault.ts'
import type { Query } from '../../../query/list.ts'
import { badParameters, timeIn } from '../../../query/parameters.ts'
import { momentOf } from '../present.ts'
import type { CampaignWindows } from '../schema.ts'
import { type Span, scheduleOf, windowsBetween } from './dayparting.ts'

const dayMs = 86_400_000
const defaultDays = 7
const maxDays = 62

export const scheduleParameters = {
  from: Type.String({
    format: 'date-time',
    description: 'Start of the range, inclusive. Default: now.',
  }),
  to: Type.String({
    format: 'date-time',
    description: `End of the range, exclusive, at most ${maxDays} days later. Default: ${defaultDays} days later.`,
  }),
}

/** The open windows of the campaign's schedule, regardless of status and dates. */
export async function getSchedule(
  ctx: Context,
  id: string,
  query: Query,
): Promise<Type.Static<typeof CampaignWindows>> {
  const span = spanOf(query, momentOf(ctx).now)
  const row = await oneOf(ctx, 'campaigns', id)
  return { data: windowsBetween(scheduleOf(row), row.time_zone, span) }
}

function spanOf(query: Query, now: string): Span {
  const start = timeIn(query.from, 'from') ?? now
  const end = timeIn(query.to, 'to') ?? daysAfter(start, defaultDays)
  const faults = lengthFaults({ start, end })
  if (faults.length > 0) throw badParameters(faults)
  return { start, end }
}

function lengthFaults({ start, end }: Span): Fault[] {
  const latest = daysAfter(start, maxDays)
  if (end <= start) {
    const message = `must be after from, which is ${start}`
    return [{ parameter: 'to', code: 'end_before_start', message, given: end }]
  }
  if (end > latest) {
    const message = `must be at most ${maxDays} days after from`
    return [{ parameter: 'to', code: 'out_of_range', message, limit: latest, given: end }]
  }
  return []
}

const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

const daysAfter = (time: string, days: number): string =>
  new Date(Math.min(Date.parse(time) + days * dayMs, lastTime)).toISOString()
