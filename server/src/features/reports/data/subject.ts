/** Reads what a report is about now: its days, its results, its client. */

import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { findOne } from '../../../kernel/rows.ts'
import type { Received } from '../../../query/parameters.ts'
import { dayIn, type Range } from '../../results/calendar.ts'
import { daysOf } from '../../results/summary/fixed-period.ts'
import { type Earlier, earlierThan } from '../../results/summary/period.ts'
import type { WholeSelection } from '../../results/summary/whole.ts'

export type Subject = {
  readonly report: Row<'reports'>
  readonly client: Pick<Row<'clients'>, 'id' | 'name'> | null
  readonly timeZone: string
  readonly now: string
  readonly today: string
  readonly range: Range
  readonly earlier: Earlier | undefined
  /** Filters of results, without the comparison. */
  readonly filters: Received
  readonly selection: WholeSelection
}

export async function subjectOf(ctx: Context, report: Row<'reports'>): Promise<Subject> {
  const { client_id, filter, compare } = report
  const client = client_id === null ? undefined : await findOne(ctx, 'clients', client_id)
  const timeZone = client?.time_zone ?? ctx.organization.timeZone
  const range = daysOf(ctx, report.period, timeZone)
  const filters: Received = client_id === null ? { ...filter } : { client_id: [client_id] }
  const compared: Received = compare === null ? {} : { compare }
  return {
    report,
    client: client ?? null,
    timeZone,
    now: nowIn(ctx),
    today: dayIn(nowIn(ctx))(timeZone),
    range,
    earlier: earlierThan(range, compared),
    filters,
    selection: { range, filters: { ...filters, ...compared } },
  }
}

/** The instant at which a day begins in a time zone. */
export const startOf = (day: string, timeZone: string): string =>
  Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toInstant().toString()
