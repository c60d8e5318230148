import { Type } from 'typebox'
import type { EventTypes } from '../../kernel/event-types.ts'
import { choice, idOf, MoneyOut, orNull } from '../../schema/fields.ts'
import { exampleId } from '../../values/ids.ts'

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
    campaign_id: orNull(idOf('campaign', 'Null for a campaign that was not created.')),
    name: Type.String(),
    profile_id: idOf('profile'),
    rule: choice(guardrailRules),
    limit: Type.Unsafe<number>({
      ...MoneyOut,
      description: 'Zero for a currency that the guardrails do not list.',
    }),
    requested: MoneyOut,
    currency: Type.String({ examples: ['USD'] }),
  },
  { title: 'GuardrailBlock' },
)
export type GuardrailBlock = Type.Static<typeof GuardrailBlock>

const example: GuardrailBlock = {
  campaign_id: exampleId('campaign'),
  name: 'Spring Sale 2026',
  profile_id: exampleId('profile'),
  rule: 'max_daily_budget',
  limit: 1000,
  requested: 10_000,
  currency: 'USD',
}

export const guardrailEvents: EventTypes = {
  resource: 'guardrail',
  permission: 'campaigns.read',
  schema: GuardrailBlock,
  types: {
    'guardrail.blocked': {
      description: 'A guardrail refused a campaign’s budget, or refused to let it run.',
      object: example,
      previous: null,
    },
  },
}
