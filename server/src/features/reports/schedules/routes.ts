import { endpoint } from '../../../http/endpoint.ts'
import { listParameters } from '../../../query/list.ts'
import { NoBody } from '../../../schema/fields.ts'
import { readReportSchedules, tag, writeReports } from '../resource.ts'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  scheduleList,
  sendSchedule,
  updateSchedule,
} from './schedules.ts'
import {
  ReportSchedule,
  ReportScheduleBody,
  ReportScheduleChanges,
  ReportScheduleList,
} from './schema.ts'

const path = '/reports/:id/schedules/:schedule_id'

export const scheduleEndpoints = [
  endpoint({
    operation: 'listReportSchedules',
    tag,
    summary: 'List the schedules of a report',
    method: 'GET',
    path: '/reports/:id/schedules',
    permission: readReportSchedules,
    query: listParameters(scheduleList),
    reply: ReportScheduleList,
    run: (ctx, { id, query }) => listSchedules(ctx, id, query),
  }),
  endpoint({
    operation: 'createReportSchedule',
    tag,
    summary: 'Mail a report every week or month',
    description:
      'Each time a snapshot is made, and a link to it is mailed to each recipient. Needs the mail server of the service.',
    method: 'POST',
    path: '/reports/:id/schedules',
    permission: writeReports,
    action: 'report_schedule.created',
    body: ReportScheduleBody,
    example: { every: 'month', day: 1, hour: 8, recipients: ['grace@example.com'] },
    gathersFaults: true,
    status: 201,
    isVersioned: true,
    reply: ReportSchedule,
    problems: ['limit_exceeded', 'mail_not_configured'],
    run: (ctx, { id, body }) => createSchedule(ctx, id, body),
  }),
  endpoint({
    operation: 'getReportSchedule',
    tag,
    summary: 'Get a schedule of a report',
    method: 'GET',
    path,
    permission: readReportSchedules,
    reply: ReportSchedule,
    run: (ctx, { id, innerId }) => getSchedule(ctx, { reportId: id, innerId }),
  }),
  endpoint({
    operation: 'updateReportSchedule',
    tag,
    summary: 'Update a schedule of a report',
    description:
      'With `status` it is switched off, or on again: from then on it sends with the rights of who has switched it on.',
    method: 'PATCH',
    path,
    permission: writeReports,
    action: 'report_schedule.updated',
    body: ReportScheduleChanges,
    example: { link_days: 14 },
    gathersFaults: true,
    reply: ReportSchedule,
    problems: ['mail_not_configured'],
    run: (ctx, { id, innerId, body }) => updateSchedule(ctx, { reportId: id, innerId }, body),
  }),
  endpoint({
    operation: 'deleteReportSchedule',
    tag,
    summary: 'Delete a schedule of a report',
    description: 'Links that it has mailed stay.',
    method: 'DELETE',
    path,
    permission: writeReports,
    action: 'report_schedule.deleted',
    status: 204,
    run: (ctx, { id, innerId }) => deleteSchedule(ctx, { reportId: id, innerId }),
  }),
  endpoint({
    operation: 'sendReportSchedule',
    tag,
    summary: 'Mail a report now',
    description: 'To the recipients of the schedule, also if it is disabled; `next_at` stays.',
    method: 'POST',
    path: `${path}/send`,
    permission: writeReports,
    action: 'report_schedule.sent',
    body: NoBody,
    reply: ReportSchedule,
    problems: ['limit_exceeded', 'mail_not_configured'],
    run: (ctx, { id, innerId }) => sendSchedule(ctx, { reportId: id, innerId }),
  }),
]
