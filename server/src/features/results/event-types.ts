import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { readResults, reportIds } from './resource.ts'
import { ResultsRemoval, ResultsReport, ResultsRestatement } from './schema.ts'

const common = {
  id: exampleId(reportIds),
  source: 'google_ads',
  reported_at: '2025-11-21T06:00:00.000Z',
}

const report: ResultsReport = {
  ...common,
  complete_through: '2025-11-20',
  counts: { created: 1, updated: 1, unchanged: 26, ignored_older: 0, failed: 0 },
  first_date: '2025-11-20',
  last_date: '2025-11-21',
  campaign_count: 1,
  campaign_ids: [exampleId(campaignIds)],
}

export const reportEvents: EventTypes = {
  resource: 'results',
  permission: readResults,
  schema: ResultsReport,
  types: {
    'results.reported': {
      description: 'Results of campaigns were stored.',
      object: report,
      previous: null,
    },
  },
}

const restatement: ResultsRestatement = {
  ...common,
  day_count: 1,
  days: [
    {
      campaign_id: exampleId(campaignIds),
      date: '2025-11-05',
      currency: 'USD',
      spend_minor: 3251,
      previous_spend_minor: 3351,
    },
  ],
}

export const restatementEvents: EventTypes = {
  resource: 'results',
  permission: readResults,
  schema: ResultsRestatement,
  types: {
    'results.restated': {
      description: 'The spend of final days changed.',
      object: restatement,
      previous: null,
    },
  },
}

const removal: ResultsRemoval = {
  id: exampleId(reportIds),
  source: 'google_ads',
  day_count: 61,
  first_month: '2025-10-01',
  last_month: '2025-11-01',
  campaign_count: 1,
  campaign_ids: [exampleId(campaignIds)],
}

export const removalEvents: EventTypes = {
  resource: 'results',
  permission: readResults,
  schema: ResultsRemoval,
  types: {
    'results.source_deleted': {
      description: 'A source was taken off, with all that it had reported.',
      object: removal,
      previous: null,
    },
  },
}
