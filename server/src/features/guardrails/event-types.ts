import type { EventTypes } from '../../kernel/event-types.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { readGuardrails } from './resource.ts'
import { Guardrails } from './schema.ts'

const guardrails: Guardrails = {
  id: exampleId(organizationIds),
  max_daily_budget: { USD: 1000 },
  max_lifetime_budget: { USD: 50_000 },
  unlisted_currencies: 'refuse',
  max_increase_percent: 50,
  max_increase_percent_24h: 100,
  approval: { mode: 'above', amounts: { USD: 500 } },
  approver_roles: ['owner', 'admin'],
  change_sets: { approval: 'raises', raises_above: { USD: 100 }, required_for: ['api_key'] },
  stop_at_percent: 100,
  stop_scopes: ['lifetime', 'profile'],
  pacing: { under_percent: 90, over_percent: 110, critical_percent: 120 },
  performance_bound: 20,
  version: 2,
  updated_at: '2026-11-21T09:30:00.000Z',
  updated_by: exampleId(userIds),
}

export const guardrailsEvents: EventTypes = {
  resource: 'organization',
  permission: readGuardrails,
  schema: Guardrails,
  types: {
    'organization.guardrails_updated': {
      description: 'The organization’s guardrails or approval rules changed.',
      object: guardrails,
      previous: { max_daily_budget: {} },
    },
  },
}
