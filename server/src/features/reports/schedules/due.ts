import { eachOf } from '../../../concurrency/each-of.ts'
import { may } from '../../../identity/permissions.ts'
import type { SingletonTask } from '../../../jobs/job.ts'
import { change } from '../../../kernel/change.ts'
import {
  actAsSystem,
  type Context,
  nowIn,
  nowText,
  type Services,
  type WriteContext,
} from '../../../kernel/context.ts'
import { actFor, personBehind } from '../../../kernel/people.ts'
import { findOne, nextStamps, oneOf, update } from '../../../kernel/rows.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { hasMail, postMail } from '../../../mail/post.ts'
import { conflict, isServerFault, Problem, suspended } from '../../../problems/problem.ts'
import { writeReports } from '../resource.ts'
import { unseenLetter } from './letter.ts'
import { type ScheduleRow, toSchedule } from './present.ts'
import { noMail, sent } from './schedules.ts'
import type { ReportSchedule } from './schema.ts'
import { nextTime } from './times.ts'

/** Mails reports when they are due. */
export const dueSchedules: SingletonTask = {
  name: 'reports.send',
  everyMs: 1_000,
  work: [
    {
      name: 'report_schedules',
      dueSince: 'select min(next_at) from report_schedules where next_at is not null',
    },
  ],
  run: sendDueReports,
}

const maxFound = 100

// Spans all organizations. The last branch covers sandboxes whose clock is ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, next_at as due from report_schedules
      where next_at <= $1 order by next_at limit $2)
    union
    (select s.organization_id, s.id, s.next_at from organizations o
      cross join lateral (
        select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join report_schedules s on s.organization_id = o.id
      where o.clock_ahead_ms > 0 and s.next_at <= t.now limit $2)
  ) as found
  order by due limit $2`

type DueSchedule = { organization_id: string; id: string }

export async function sendDueReports(services: Services, signal: AbortSignal): Promise<void> {
  const parameters = [nowText(services), maxFound]
  const due = await services.database.reader.query<DueSchedule>({
    sql: dueSql,
    parameters,
    ofAll: true,
  })
  await eachOf(due, { signal }, ({ organization_id, id }) => runOne(services, organization_id, id))
}

async function runOne(services: Services, organizationId: string, id: string): Promise<void> {
  const ctx = await actAsSystem(services, organizationId, 'report schedules')
  const row = ctx && (await findOne(ctx, 'report_schedules', id))
  if (!row || !isDue(ctx, row)) return
  const maker = row.created_by === null ? undefined : await actFor(ctx, row.created_by)
  if (!maker || !may(maker, writeReports)) return switchOff(ctx, id, 'insufficient_role')
  if (!(await findOne(maker, 'reports', row.report_id))) return switchOff(ctx, id, 'out_of_scope')
  try {
    await send(maker, id)
  } catch (error) {
    if (!(error instanceof Problem) || isServerFault(error.status)) throw error
    await fail(ctx, id, error)
  }
}

/** Times that were missed, as while the service was off, are made up for by one mail. */
const isDue = (ctx: Context, { next_at }: ScheduleRow) => next_at !== null && next_at <= nowIn(ctx)

type Work = (ctx: WriteContext, row: ScheduleRow) => Promise<unknown>

/** Looks again in the transaction: it may have been sent, or changed, in the meantime. */
const whileDue = (ctx: Context, id: string, work: Work): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const row = await findOne(ctx, 'report_schedules', id)
    if (row && isDue(ctx, row)) await work(ctx, row)
  })

const send = (ctx: Context, id: string): Promise<void> =>
  whileDue(ctx, id, (ctx, row) =>
    change<ReportSchedule>(ctx, 'report_schedule.sent', async (ctx) => {
      if (ctx.organization.status === 'suspended') throw suspended()
      if (!hasMail(ctx.services)) throw conflict('mail_not_configured', noMail)
      const report = await oneOf(ctx, 'reports', row.report_id)
      return sent(ctx, { report, row }, { next_at: nextTime(row, ctx.now) })
    }),
  )

/** Notes why, and goes on at its next time. */
const fail = (ctx: Context, id: string, { message }: Problem): Promise<void> =>
  whileDue(ctx, id, (ctx, row) =>
    moved(ctx, row, 'report_schedule.failed', {
      last_error: message,
      next_at: nextTime(row, nowIn(ctx)),
    }),
  )

const switchOff = (
  ctx: Context,
  id: string,
  disabled_reason: 'insufficient_role' | 'out_of_scope',
): Promise<void> =>
  whileDue(ctx, id, async (ctx, row) => {
    const off = { status: 'disabled', disabled_reason, next_at: null } as const
    await moved(ctx, row, 'report_schedule.disabled', off)
    if (disabled_reason === 'out_of_scope') await mailMaker(ctx, row.created_by)
  })

/** Mails those whose scope hides the notification, and names nothing that it hides. */
async function mailMaker(ctx: WriteContext, id: string | null): Promise<void> {
  if (id === null) return
  const person = await findOne(ctx, 'users', await personBehind(ctx, id))
  const letter = unseenLetter(ctx.organization.name, ctx.services.config.publicUrl)
  if (person) postMail(ctx, { to: person.email, letter }, { canWait: true })
}

const moved = (ctx: Context, row: ScheduleRow, action: string, columns: Partial<ScheduleRow>) =>
  change<ReportSchedule>(ctx, action, async (ctx) => {
    const { name } = await oneOf(ctx, 'reports', row.report_id)
    const next = { ...columns, ...nextStamps(ctx, row) }
    update(ctx, 'report_schedules', { id: row.id, ...next })
    return { before: toSchedule(row, name), after: toSchedule({ ...row, ...next }, name) }
  })
