import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Reports',
  description: 'What clients see of their results.',
}

export const reportIds = idType('report', 'rpt')

export const snapshotIds = idType('report snapshot', 'rps')
export const linkIds = idType('report link', 'rpl')
export const scheduleIds = idType('report schedule', 'rsd')

export const readReports = permission('reports.read', roles, { isForAgents: true })
/** Links show figures to people without an account, so agents see none. */
export const readReportLinks = permission('report_links.read', roles)
/** Schedules have addresses of people, so agents see none. */
export const readReportSchedules = permission('report_schedules.read', roles)
export const writeReports = permission('reports.write', ['owner', 'admin', 'editor'], {
  isForAgents: true,
})

export const cap: Cap = { name: 'reports', defaultLimit: 1_000 }

/** Far more than anyone reads. */
export const maxLinksOfReport = 100
export const maxSnapshotsOfReport = 500
export const maxSchedulesOfReport = 10
/** Links that schedules have mailed, apart from those that people made. */
export const maxMailedLinksOfReport = 1_000
