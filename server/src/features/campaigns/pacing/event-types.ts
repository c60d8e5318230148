import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { profileIds } from '../../profiles/resource.ts'
import { campaignIds, readCampaigns } from '../resource.ts'
import { Pacing } from './schema.ts'

const example: Pacing = {
  campaign_id: exampleId(campaignIds),
  name: 'Spring Sale 2026',
  campaign_status: 'active',
  profile_id: exampleId(profileIds),
  currency: 'USD',
  currency_exponent: 2,
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  target_minor: 100530,
  spent_minor: 77084,
  expected_minor: 67020,
  pacing_index: 1.1502,
  projected_minor: 115625,
  required_daily_minor: 2344,
  money_at_risk_minor: 15095,
  complete_through: '2026-11-20',
  last_reported_at: '2026-11-21T09:30:00.000Z',
  days_left: 10,
  status: 'over',
  confidence: 'normal',
  overspend: [],
  sources: ['google_ads'],
}

export const pacingEvents: EventTypes = {
  resource: 'pacing',
  permission: readCampaigns,
  schema: Pacing,
  types: {
    'pacing.changed': {
      description: 'The status of a campaign’s pacing changed.',
      object: example,
      previous: { status: 'on_track' },
    },
    'pacing.stale': {
      description: 'No report for a running campaign in 24 h.',
      object: { ...example, status: 'stale' },
      previous: { status: 'over' },
    },
  },
}
