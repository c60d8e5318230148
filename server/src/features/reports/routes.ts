import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { formatParameter, inFormat } from './data/csv.ts'
import { getReportData } from './data/data.ts'
import { ReportData } from './data/schema.ts'
import { reportEvents } from './event-types.ts'
import { linkEvents, snapshotEvents } from './links/event-types.ts'
import { linkEndpoints } from './links/routes.ts'
import { reportPage } from './page/page.ts'
import { pageEndpoints } from './page/routes.ts'
import {
  createReport,
  deleteReport,
  getReport,
  listReports,
  reportList,
  updateReport,
} from './reports.ts'
import {
  cap,
  linkIds,
  readReportLinks,
  readReportSchedules,
  readReports,
  reportIds,
  scheduleIds,
  snapshotIds,
  tag,
  writeReports,
} from './resource.ts'
import { dueSchedules } from './schedules/due.ts'
import { scheduleEvents } from './schedules/event-types.ts'
import { followClient, followOrganization, followReport } from './schedules/reactions.ts'
import { scheduleEndpoints } from './schedules/routes.ts'
import { Report, ReportBody, ReportChanges, ReportList } from './schema.ts'

export const reports: Feature = {
  tag,
  permissions: [readReports, readReportLinks, readReportSchedules, writeReports],
  ids: { reports: reportIds, snapshots: snapshotIds, links: linkIds, schedules: scheduleIds },
  cap,
  tables: [
    { name: 'report_schedules', isEmptied: true },
    { name: 'report_links', isEmptied: true },
    { name: 'report_snapshots', isEmptied: true },
    { name: 'report_logos', isEmptied: true },
    { name: 'reports', isEmptied: true },
  ],
  evenWhenFull: {
    ...{ 'report.deleted': true, 'report_link.deleted': true, 'report_snapshot.deleted': true },
    ...{ 'report_schedule.deleted': true, 'report_schedule.disabled': true },
    'report_schedule.failed': true,
  },
  endpoints: [
    endpoint({
      operation: 'listReports',
      tag,
      summary: 'List reports',
      method: 'GET',
      path: '/reports',
      permission: readReports,
      query: listParameters(reportList),
      reply: ReportList,
      run: (ctx, { query }) => listReports(ctx, query),
    }),
    endpoint({
      operation: 'createReport',
      tag,
      summary: 'Create a report',
      description: 'Of one client, or of what a filter selects. A relative period moves on.',
      method: 'POST',
      path: '/reports',
      permission: writeReports,
      action: 'report.created',
      body: ReportBody,
      example: {
        name: 'All accounts, monthly',
        period: 'last_month',
        compare: 'previous_period',
        sections: ['headline', 'summary', 'notes'],
      },
      gathersFaults: true,
      status: 201,
      reply: Report,
      problems: ['limit_exceeded'],
      run: (ctx, { body }) => createReport(ctx, body),
    }),
    endpoint({
      operation: 'getReport',
      tag,
      summary: 'Get a report',
      method: 'GET',
      path: '/reports/:id',
      permission: readReports,
      reply: Report,
      run: (ctx, { id }) => getReport(ctx, id),
    }),
    endpoint({
      operation: 'getReportData',
      tag,
      summary: 'Get a report with its figures',
      description:
        'Its sections in order; currencies are never added up. `format=csv` has the figures as one table.',
      method: 'GET',
      path: '/reports/:id/data',
      permission: readReports,
      query: { format: formatParameter },
      streams: ['text/csv'],
      reply: ReportData,
      run: async (ctx, { id, query }) => inFormat(await getReportData(ctx, id), query),
    }),
    endpoint({
      operation: 'updateReport',
      tag,
      summary: 'Update a report',
      description: 'PUT and PATCH both merge; a merge patch merges `filter` and `texts`, too.',
      method: ['PUT', 'PATCH'],
      path: '/reports/:id',
      permission: writeReports,
      action: 'report.updated',
      body: ReportChanges,
      example: { compare: 'previous_year' },
      gathersFaults: true,
      reply: Report,
      run: (ctx, { id, body }) => updateReport(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteReport',
      tag,
      summary: 'Delete a report',
      description: 'With its snapshots, links and schedules.',
      method: 'DELETE',
      path: '/reports/:id',
      permission: writeReports,
      action: 'report.deleted',
      status: 204,
      run: (ctx, { id }) => deleteReport(ctx, id),
    }),
    ...linkEndpoints,
    ...scheduleEndpoints,
    ...pageEndpoints,
  ],
  pages: [reportPage],
  events: [reportEvents, snapshotEvents, linkEvents, scheduleEvents],
  reactions: {
    'report.updated': followReport,
    'client.updated': followClient,
    'organization.updated': followOrganization,
  },
  duties: [dueSchedules],
}
