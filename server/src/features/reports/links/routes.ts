import { endpoint } from '../../../http/endpoint.ts'
import { listParameters } from '../../../query/list.ts'
import { NoBody } from '../../../schema/fields.ts'
import { ReportData } from '../data/schema.ts'
import { readReports, tag, writeReports } from '../resource.ts'
import { createLink, deleteLink, linkList, listLinks } from './links.ts'
import {
  NewReportLink,
  ReportLinkBody,
  ReportLinkList,
  ReportSnapshot,
  ReportSnapshotList,
} from './schema.ts'
import { createSnapshot, getSnapshot, listSnapshots, snapshotList } from './snapshots.ts'

export const linkEndpoints = [
  endpoint({
    operation: 'listReportSnapshots',
    tag,
    summary: 'List the snapshots of a report',
    method: 'GET',
    path: '/reports/:id/snapshots',
    permission: readReports,
    query: listParameters(snapshotList),
    reply: ReportSnapshotList,
    run: (ctx, { id, query }) => listSnapshots(ctx, id, query),
  }),
  endpoint({
    operation: 'createReportSnapshot',
    tag,
    summary: 'Freeze a report with its figures',
    description: 'The snapshot stays as it is, whatever is reported or changed later.',
    method: 'POST',
    path: '/reports/:id/snapshots',
    permission: writeReports,
    action: 'report_snapshot.created',
    body: NoBody,
    status: 201,
    isVersioned: true,
    reply: ReportSnapshot,
    problems: ['limit_exceeded'],
    run: (ctx, { id }) => createSnapshot(ctx, id),
  }),
  endpoint({
    operation: 'getReportSnapshot',
    tag,
    summary: 'Get a snapshot of a report',
    description: 'As `GET /reports/:id/data` answered it then.',
    method: 'GET',
    path: '/reports/:id/snapshots/:snapshot_id',
    permission: readReports,
    reply: ReportData,
    run: (ctx, { id, innerId }) => getSnapshot(ctx, { reportId: id, innerId }),
  }),
  endpoint({
    operation: 'listReportLinks',
    tag,
    summary: 'List the links to a report',
    description: 'With how often each was opened; their addresses are not kept.',
    method: 'GET',
    path: '/reports/:id/links',
    permission: readReports,
    query: listParameters(linkList),
    reply: ReportLinkList,
    run: (ctx, { id, query }) => listLinks(ctx, id, query),
  }),
  endpoint({
    operation: 'createReportLink',
    tag,
    summary: 'Make a link to a report',
    description:
      'All who have its address see the report and nothing else, without an account. The address is shown once.',
    method: 'POST',
    path: '/reports/:id/links',
    permission: writeReports,
    action: 'report_link.created',
    body: ReportLinkBody,
    example: { expires_at: '2027-06-30T00:00:00.000Z' },
    gathersFaults: true,
    status: 201,
    noStore: true,
    isVersioned: true,
    reply: NewReportLink,
    problems: ['limit_exceeded'],
    run: (ctx, { id, body }) => createLink(ctx, id, body),
  }),
  endpoint({
    operation: 'deleteReportLink',
    tag,
    summary: 'End a link to a report',
    description: 'Its address shows nothing any more.',
    method: 'DELETE',
    path: '/reports/:id/links/:link_id',
    permission: writeReports,
    action: 'report_link.deleted',
    status: 204,
    run: (ctx, { id, innerId }) => deleteLink(ctx, { reportId: id, innerId }),
  }),
]
