import type { Row } from '../../../database/tables/tenant-tables.ts'
import { change } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { readOnlyFaults } from '../../../kernel/people.ts'
import {
  findOne,
  firstStamps,
  insert,
  nextStamps,
  oneInVersion,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../../kernel/rows.ts'
import { hasMail } from '../../../mail/post.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { checkFaults, conflict, notFound } from '../../../problems/problem.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../../query/list.ts'
import { changedFields } from '../../../schema/changed-fields.ts'
import { patched } from '../../../schema/merge-patch.ts'
import { accountOf } from '../../../values/email.ts'
import { newId } from '../../../values/ids.ts'
import { checkRoom, ofReport, type ReportPart, snapshotList } from '../links/snapshots.ts'
import { maxSchedulesOfReport, scheduleIds } from '../resource.ts'
import { type ScheduleRow, toSchedule } from './present.ts'
import {
  defaultLinkDays,
  type ReportSchedule,
  type ReportScheduleChanges,
  type ReportScheduleInput,
  readOnlyFields,
} from './schema.ts'
import { mailReport } from './send.ts'
import { nextTime } from './times.ts'

export const scheduleList: ListShape<'report_schedules'> = {
  table: 'report_schedules',
  filters: snapshotList.filters,
  sorts: ['created_at'],
}

/** The report is part of the filters, which ties a cursor to it. */
const listOfReport = {
  ...scheduleList,
  filters: { ...scheduleList.filters, report_id: ofReport },
}

export async function listSchedules(
  ctx: Context,
  id: string,
  query: Query,
): Promise<Page<ReportSchedule>> {
  const { name } = await oneOf(ctx, 'reports', id)
  return pageOf(ctx, {
    list: listOfReport,
    query: { ...query, report_id: id },
    present: (row) => toSchedule(row, name),
  })
}

export async function getSchedule(
  ctx: Context,
  { reportId, innerId }: ReportPart,
): Promise<ReportSchedule> {
  const report = await oneOf(ctx, 'reports', reportId)
  const row = await oneOf(ctx, 'report_schedules', innerId)
  return toSchedule(ofThe(report, row), report.name)
}

/** The schedule, if it is of the report. */
function ofThe<Part extends { report_id: string }>({ id }: Row<'reports'>, part: Part): Part {
  if (part.report_id !== id) throw notFound()
  return part
}

export const createSchedule = (
  ctx: Context,
  reportId: string,
  body: ReportScheduleInput,
): Promise<ReportSchedule> =>
  change<ReportSchedule>(ctx, 'report_schedule.created', async (ctx) => {
    const report = await oneInVersion(ctx, 'reports', reportId)
    const { recipients: sent, every = 'week', day = 1, hour = 0 } = body
    const { recipients, faults } = addressesIn(sent)
    checkFaults(ctx, [...faults, ...dayFaults({ every, day })])
    checkMail(ctx)
    await checkRoom(ctx, 'report_schedules', { reportId, limit: maxSchedulesOfReport })
    const rhythm = { every, day, hour, time_zone: await zoneOf(ctx, report) }
    const row = {
      ...{ id: newId(scheduleIds), report_id: report.id, ...rhythm },
      ...{ recipients, link_days: body.link_days ?? defaultLinkDays },
      ...{ status: 'enabled' as const, disabled_reason: null, next_at: nextTime(rhythm, ctx.now) },
      ...{ last_sent_at: null, last_error: null, ...firstStamps(ctx) },
    }
    insert(ctx, 'report_schedules', row)
    return { before: null, after: toSchedule(row, report.name) }
  })

/** Addresses as they are stored; each once. */
function addressesIn(sent: readonly string[] = []): { recipients: string[]; faults: Fault[] } {
  const recipients = sent.map(accountOf)
  const faults = recipients.flatMap((address, at) =>
    recipients.indexOf(address) === at
      ? []
      : fault(`/recipients/${at}`, 'duplicate_item', 'is there already', { given: address }),
  )
  return { recipients, faults }
}

const daysOfWeek = 7

const dayFaults = ({ every, day }: Pick<ReportScheduleInput, 'every' | 'day'>): Fault[] =>
  every === 'month' || day <= daysOfWeek
    ? []
    : [
        fault('/day', 'out_of_range', 'must be 1 (Monday) to 7 (Sunday) of a week', {
          limit: daysOfWeek,
          given: day,
        }),
      ]

/** Throws 409 where nothing can be mailed. */
function checkMail({ services }: Context): void {
  if (!hasMail(services)) throw conflict('mail_not_configured', noMail)
}

export const noMail = 'The service has no mail server: its operator sets one up.'

async function zoneOf(ctx: Context, { client_id }: Row<'reports'>): Promise<string> {
  const client = client_id === null ? undefined : await findOne(ctx, 'clients', client_id)
  return client?.time_zone ?? ctx.organization.timeZone
}

/** Fields that sending changes. */
const counted = ['next_at', 'last_sent_at', 'last_error', 'time_zone']
const fixed = readOnlyFields.filter((field) => !counted.includes(field))

export const updateSchedule = (
  ctx: Context,
  { reportId, innerId }: ReportPart,
  changes: ReportScheduleChanges,
): Promise<ReportSchedule> =>
  change<ReportSchedule>(ctx, 'report_schedule.updated', async (ctx) => {
    const report = await oneOf(ctx, 'reports', reportId)
    const row = ofThe(report, await oneToChange(ctx, 'report_schedules', innerId))
    const before = toSchedule(row, report.name)
    const { body, faults } = patched(ctx, before, changes)
    const { every, day, hour, link_days, status, ...more } = { ...before, ...body }
    const { recipients, faults: addressFaults } = addressesIn(more.recipients)
    const set = { every, day, hour, recipients, link_days, status }
    checkFaults(ctx, [
      ...faults,
      ...addressFaults,
      ...dayFaults(set),
      ...(await readOnlyFaults(ctx, { before, body, readOnly: fixed })),
    ])
    if (changedFields<typeof set>(row, set).length === 0) return { before, after: before }
    const next = { ...set, ...movedTo(ctx, row, set), ...nextStamps(ctx, row) }
    update(ctx, 'report_schedules', { id: row.id, ...next })
    return { before, after: toSchedule({ ...row, ...next }, report.name) }
  })

type WantedTimes = Pick<ScheduleRow, 'every' | 'day' | 'hour' | 'status'>

/** Columns that follow. The one who switches it on answers for it: it sends with those rights. */
function movedTo(ctx: WriteContext, row: ScheduleRow, { status, ...rhythm }: WantedTimes) {
  const isOn = status === 'enabled'
  if (!isOn) return row.status === status ? {} : { disabled_reason: 'manual', next_at: null }
  const next_at = nextTime({ ...rhythm, time_zone: row.time_zone }, ctx.now)
  if (row.status === status) return { next_at }
  checkMail(ctx)
  return { disabled_reason: null, last_error: null, created_by: ctx.actor.id, next_at }
}

export async function deleteSchedule(
  ctx: Context,
  { reportId, innerId }: ReportPart,
): Promise<void> {
  await change<ReportSchedule>(ctx, 'report_schedule.deleted', async (ctx) => {
    const report = await oneOf(ctx, 'reports', reportId)
    const row = ofThe(report, await oneToChange(ctx, 'report_schedules', innerId))
    remove(ctx, 'report_schedules', row.id)
    return { before: toSchedule(row, report.name), after: null }
  })
}

/** Sends it at once, also if it is disabled; when it is due next stays. */
export const sendSchedule = (
  ctx: Context,
  { reportId, innerId }: ReportPart,
): Promise<ReportSchedule> =>
  change<ReportSchedule>(ctx, 'report_schedule.sent', async (ctx) => {
    const report = await oneOf(ctx, 'reports', reportId)
    const row = ofThe(report, await oneInVersion(ctx, 'report_schedules', innerId))
    checkMail(ctx)
    return sent(ctx, { report, row })
  })

export type Sending = { report: Row<'reports'>; row: ScheduleRow }

/** Mails it, and notes so; with another time at which it is due next, if that is given. */
export async function sent(
  ctx: WriteContext,
  { report, row }: Sending,
  next: { next_at?: string } = {},
): Promise<{ before: ReportSchedule; after: ReportSchedule }> {
  await mailReport(ctx, { report, row })
  const done = { last_sent_at: ctx.now, last_error: null, ...next, ...nextStamps(ctx, row) }
  update(ctx, 'report_schedules', { id: row.id, ...done })
  const before = toSchedule(row, report.name)
  return { before, after: toSchedule({ ...row, ...done }, report.name) }
}
