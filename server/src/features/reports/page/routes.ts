import { endpoint } from '../../../http/endpoint.ts'
import { readReports, tag } from '../resource.ts'
import { ReportChanges } from '../schema.ts'
import { getPage, previewPage, ReportPage } from './shown.ts'

export const pageEndpoints = [
  endpoint({
    operation: 'getReportPage',
    tag,
    summary: 'Get the page of a report',
    description: 'As a link opens it.',
    method: 'GET',
    path: '/reports/:id/page',
    permission: readReports,
    reply: ReportPage,
    run: (ctx, { id }) => getPage(ctx, id),
  }),
  endpoint({
    operation: 'previewReport',
    tag,
    summary: 'Preview changes of a report',
    description: 'Its page as it would be with these changes, which are not kept.',
    method: 'POST',
    path: '/reports/:id/preview',
    permission: readReports,
    body: ReportChanges,
    example: { texts: { notes: 'Figures are those of the networks.' } },
    gathersFaults: true,
    noKey: true,
    reply: ReportPage,
    problems: ['out_of_scope'],
    run: (ctx, { id, body }) => previewPage(ctx, id, body),
  }),
  endpoint({
    operation: 'getReportSnapshotPage',
    tag,
    summary: 'Get the page of a snapshot of a report',
    description: 'The page of the report as it was.',
    method: 'GET',
    path: '/reports/:id/snapshots/:snapshot_id/page',
    permission: readReports,
    reply: ReportPage,
    run: (ctx, { id, innerId }) => getPage(ctx, id, innerId),
  }),
]
