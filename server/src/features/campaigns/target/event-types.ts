import { Type } from 'typebox'
import type { EventTypes } from '../../../kernel/event-types.ts'
import { idOf, text } from '../../../schema/fields.ts'
import { exampleId } from '../../../values/ids.ts'
import { profileIds } from '../../profiles/resource.ts'
import { campaignIds, readCampaigns } from '../resource.ts'
import type { Judgement } from './assess.ts'
import { Performance } from './schema.ts'

const PerformanceChange = Type.Object(
  {
    campaign_id: idOf(campaignIds, 'The campaign.'),
    name: text('Its name.'),
    profile_id: idOf(profileIds, 'Its profile.'),
    currency: text('ISO 4217 code of the amounts.'),
    ...Performance.properties,
  },
  { title: 'CampaignPerformanceChange', description: 'How a campaign performs.' },
)
export type CampaignPerformanceChange = Type.Static<typeof PerformanceChange>

/** As the event shows it; null where it is not judged. */
export const toChange = ({
  campaign,
  performance,
}: Judgement): CampaignPerformanceChange | null => {
  const { id, name, profile_id, currency } = campaign
  return performance && { campaign_id: id, name, profile_id, currency, ...performance }
}

const example: CampaignPerformanceChange = {
  campaign_id: exampleId(campaignIds),
  name: 'Spring Sale 2026',
  profile_id: exampleId(profileIds),
  currency: 'USD',
  metric: 'cpa',
  value: 30,
  target: 20,
  index: 0.6667,
  status: 'off_target',
  window: { from: '2026-11-14', to: '2026-11-21' },
  spend_minor: 42_000,
  conversions: 14,
}

export const performanceEvents: EventTypes = {
  resource: 'campaign',
  permission: readCampaigns,
  schema: PerformanceChange,
  makesNoVersion: true,
  types: {
    'campaign.performance_changed': {
      description: 'The status of a campaign’s performance changed.',
      object: example,
      previous: { status: 'on_target' },
    },
  },
}
