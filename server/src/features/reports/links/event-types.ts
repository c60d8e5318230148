import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { userIds } from '../../members/resource.ts'
import { linkIds, readReportLinks, readReports, reportIds, snapshotIds } from '../resource.ts'
import { ReportLink, ReportSnapshot } from './schema.ts'

const snapshot: ReportSnapshot = {
  id: exampleId(snapshotIds),
  report_id: exampleId(reportIds),
  name: 'Northwind, monthly',
  period: { from: '2026-10-01', to: '2026-11-01' },
  created_at: '2026-11-21T09:00:00.000Z',
  created_by: exampleId(userIds),
}

const link: ReportLink = {
  id: exampleId(linkIds),
  report_id: exampleId(reportIds),
  name: 'Northwind, monthly',
  snapshot_id: exampleId(snapshotIds),
  schedule_id: null,
  expires_at: '2026-12-21T09:00:00.000Z',
  has_password: false,
  views: 0,
  last_viewed_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  created_by: exampleId(userIds),
}

export const snapshotEvents: EventTypes = {
  resource: 'report_snapshot',
  permission: readReports,
  schema: ReportSnapshot,
  types: {
    'report_snapshot.created': {
      description: 'A report was frozen as it is.',
      object: snapshot,
      previous: null,
    },
    'report_snapshot.deleted': {
      description: 'A snapshot of a report was deleted. The object is its last state.',
      object: snapshot,
      previous: null,
    },
  },
}

export const linkEvents: EventTypes = {
  resource: 'report_link',
  permission: readReportLinks,
  schema: ReportLink,
  types: {
    'report_link.created': {
      description: 'A link to a report was made. Its address is in no event.',
      object: link,
      previous: null,
    },
    'report_link.deleted': {
      description: 'A link to a report was ended. The object is its last state.',
      object: { ...link, views: 12, last_viewed_at: '2026-11-22T10:00:00.000Z' },
      previous: null,
    },
  },
}
