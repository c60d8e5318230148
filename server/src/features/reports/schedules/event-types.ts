import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { userIds } from '../../members/resource.ts'
import { readReportSchedules, reportIds, scheduleIds } from '../resource.ts'
import { ReportSchedule } from './schema.ts'

const example: ReportSchedule = {
  id: exampleId(scheduleIds),
  report_id: exampleId(reportIds),
  name: 'Northwind, monthly',
  every: 'month',
  day: 1,
  hour: 8,
  time_zone: 'Europe/Berlin',
  recipients: ['grace@example.com'],
  link_days: 30,
  status: 'enabled',
  disabled_reason: null,
  next_at: '2027-01-01T07:00:00.000Z',
  last_sent_at: '2026-12-01T07:00:00.000Z',
  last_error: null,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-12-01T07:00:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const unsent = {
  ...{ last_sent_at: null, next_at: '2026-12-01T07:00:00.000Z' },
  ...{ version: 1, updated_at: example.created_at },
}

const off = {
  ...{ status: 'disabled', disabled_reason: 'insufficient_role', next_at: null, updated_by: null },
} as const

const last_error = 'The service has no mail server: its operator sets one up.'

export const scheduleEvents: EventTypes = {
  resource: 'report_schedule',
  permission: readReportSchedules,
  schema: ReportSchedule,
  types: {
    'report_schedule.created': {
      description: 'A schedule that mails a report was created.',
      object: { ...example, ...unsent },
      previous: null,
    },
    'report_schedule.updated': {
      description: 'Its times, recipients, links or status changed.',
      object: { ...example, ...unsent, version: 2 },
      previous: { hour: 7 },
    },
    'report_schedule.sent': {
      description: 'A link to a new snapshot of the report was mailed. Its address is in no event.',
      object: example,
      previous: { last_sent_at: null },
    },
    'report_schedule.failed': {
      description: 'It was not sent when it was due; `last_error` says why. It goes on next time.',
      object: { ...example, last_error, updated_by: null },
      previous: { last_error: null },
    },
    'report_schedule.disabled': {
      description: 'It was switched off; `disabled_reason` says why.',
      object: { ...example, ...off },
      previous: { status: 'enabled', disabled_reason: null },
    },
    'report_schedule.deleted': {
      description: 'A schedule was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
