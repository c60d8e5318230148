import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { ReportSchedule } from './schema.ts'

export type ScheduleRow = Omit<Row<'report_schedules'>, 'organization_id'>

/** A schedule with the name of its report. */
export const toSchedule = (row: ScheduleRow, name: string): ReportSchedule => ({
  id: row.id,
  report_id: row.report_id,
  name,
  every: row.every,
  day: row.day,
  hour: row.hour,
  time_zone: row.time_zone,
  recipients: row.recipients,
  link_days: row.link_days,
  status: row.status,
  disabled_reason: row.disabled_reason,
  next_at: row.next_at,
  last_sent_at: row.last_sent_at,
  last_error: row.last_error,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
