import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  text,
  time,
} from '../../../schema/fields.ts'
import { maxEmailLength } from '../../../values/email.ts'
import { maxLinkDays } from '../links/schema.ts'
import { reportIds, scheduleIds } from '../resource.ts'

export const defaultLinkDays = 30

const Address = Type.String({
  minLength: 1,
  maxLength: maxEmailLength,
  trim: true,
  format: 'email',
  examples: ['grace@example.com'],
})

/** Fields that clients can write. */
const scheduleFields = {
  every: choice(['week', 'month'], {
    title: 'ReportScheduleInterval',
    description: 'How often it is sent.',
  }),
  day: Type.Integer({
    minimum: 1,
    maximum: 31,
    description:
      'Of a week 1 (Monday) to 7 (Sunday); of a month 1 to 31, in shorter ones the last day.',
    examples: [1],
  }),
  hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'The hour of that day, in `time_zone`.',
    examples: [8],
  }),
  recipients: Type.Array(Address, {
    minItems: 1,
    maxItems: 20,
    description: 'Each is sent a mail of its own; stored in lower case.',
    examples: [['grace@example.com']],
  }),
  link_days: Type.Integer({
    minimum: 1,
    maximum: maxLinkDays,
    description: `How many days each link works. Default: ${defaultLinkDays}.`,
    examples: [defaultLinkDays],
  }),
  status: choice(['enabled', 'disabled'], {
    title: 'ReportScheduleStatus',
    description: 'A disabled one is sent by hand only.',
  }),
}

const reply = {
  id: idOf(scheduleIds, 'Schedule identifier.'),
  report_id: idOf(reportIds, 'The report.'),
  name: text('Name of the report.'),
  every: scheduleFields.every,
  day: scheduleFields.day,
  hour: scheduleFields.hour,
  time_zone: text('Time zone of the client, else of the organization.'),
  recipients: Type.Array(Type.String(), { description: 'Addresses that it is sent to.' }),
  link_days: scheduleFields.link_days,
  status: scheduleFields.status,
  disabled_reason: orNull(
    text(
      '`manual`: by a request. `insufficient_role`, `out_of_scope`: who switched it on may not send it, or does not see the report, any more.',
    ),
  ),
  next_at: orNull(time('When it is sent next; null if it is disabled.')),
  last_sent_at: orNull(time('When it was last sent.')),
  last_error: orNull(text('Why it was not sent last time; null once it was.')),
  ...stamps,
}

export const ReportSchedule = Type.Object(reply, {
  title: 'ReportSchedule',
  description: 'Mails a link to a new snapshot of a report, every week or month.',
})
export type ReportSchedule = Type.Static<typeof ReportSchedule>

export const ReportScheduleList = pageOfSchema(ReportSchedule)

export const readOnlyFields = readOnlyOf(ReportSchedule, scheduleFields)

const { link_days, status: _, ...needed } = scheduleFields

export const ReportScheduleBody = bodyOf(
  { ...needed, link_days: Type.Optional(link_days) },
  { title: 'ReportScheduleInput', readOnlyFields: [...readOnlyFields, 'status'] },
)
export type ReportScheduleInput = Type.Static<typeof ReportScheduleBody>

export const ReportScheduleChanges = changesOf(
  scheduleFields,
  readOnlyFields,
  'ReportScheduleChanges',
)
export type ReportScheduleChanges = Type.Static<typeof ReportScheduleChanges>
