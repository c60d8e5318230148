import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { clientIds } from '../clients/resource.ts'
import { userIds } from '../members/resource.ts'
import { readReports, reportIds } from './resource.ts'
import { Report } from './schema.ts'

const example: Report = {
  id: exampleId(reportIds),
  name: 'Northwind, monthly',
  client_id: exampleId(clientIds),
  filter: null,
  period: 'last_month',
  compare: 'previous_period',
  sections: ['headline', 'summary'],
  texts: { headline: null, why: null, next: null, notes: null },
  logo_type: 'image/png',
  logo_bytes: 8_192,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

export const reportEvents: EventTypes = {
  resource: 'report',
  permission: readReports,
  schema: Report,
  types: {
    'report.created': {
      description: 'A report was created.',
      object: { ...example, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'report.updated': {
      description: 'Fields of a report changed.',
      object: example,
      previous: { compare: null },
    },
    'report.deleted': {
      description: 'A report was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
