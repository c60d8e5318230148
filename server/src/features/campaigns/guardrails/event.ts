import { Type } from 'typebox'
import type { EventTypes } from '../../../kernel/event-types.ts'
import { choice, idOf, moneyOut, orNull, text } from '../../../schema/fields.ts'
import { exampleId } from '../../../values/ids.ts'
import { profileIds } from '../../profiles/resource.ts'
import { campaignIds, readCampaigns } from '../resource.ts'

const guardrailRules = [
  'max_daily_budget',
  'max_lifetime_budget',
  'unlisted_currency',
  'max_increase_percent',
  'max_increase_percent_24h',
  'profile_daily_budget_cap',
] as const
export type GuardrailRule = (typeof guardrailRules)[number]

const GuardrailBlock = Type.Object(
  {
    campaign_id: orNull(idOf(campaignIds, 'Null for a campaign that was not created.')),
    name: text('Name of the campaign.'),
    profile_id: idOf(profileIds, 'Its profile.'),
    rule: choice(guardrailRules, { description: 'The rule that refused it.' }),
    limit: moneyOut('What the rule allows; zero for a currency that the guardrails do not list.'),
    requested: moneyOut('What was compared with `limit`.'),
    currency: text('ISO 4217 code of the amounts.'),
  },
  { title: 'GuardrailBlock', description: 'What a guardrail refused.' },
)
export type GuardrailBlock = Type.Static<typeof GuardrailBlock>

const example: GuardrailBlock = {
  campaign_id: exampleId(campaignIds),
  name: 'Spring Sale 2026',
  profile_id: exampleId(profileIds),
  rule: 'max_daily_budget',
  limit: 1000,
  requested: 10_000,
  currency: 'USD',
}

export const guardrailEvents: EventTypes = {
  resource: 'guardrail',
  permission: readCampaigns,
  schema: GuardrailBlock,
  types: {
    'guardrail.blocked': {
      description: 'A guardrail refused a campaign’s budget, or refused to let it run.',
      object: example,
      previous: null,
    },
  },
}
