import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { tag } from '../organizations/resource.ts'
import { guardrailsEvents } from './event-types.ts'
import { getGuardrails, updateGuardrails } from './guardrails.ts'
import { overrideGuardrails, readGuardrails, writeGuardrails } from './resource.ts'
import { Guardrails, GuardrailsChanges } from './schema.ts'

export const guardrails: Feature = {
  permissions: [readGuardrails, writeGuardrails, overrideGuardrails],
  evenWhenFull: {
    'organization.guardrails_updated': true,
  },
  endpoints: [
    endpoint({
      operation: 'getGuardrails',
      tag,
      summary: 'Get your organization’s guardrails',
      method: 'GET',
      path: '/organization/guardrails',
      permission: readGuardrails,
      reply: Guardrails,
      run: (ctx) => getGuardrails(ctx),
    }),
    endpoint({
      operation: 'updateGuardrails',
      tag,
      summary: 'Update your organization’s guardrails',
      description:
        'A sent field is replaced as a whole, null clears it, an omitted field is unchanged. Changes apply from the next request on; running campaigns continue.',
      method: 'PUT',
      path: '/organization/guardrails',
      permission: writeGuardrails,
      needsRecentLogin: true,
      action: 'organization.guardrails_updated',
      body: GuardrailsChanges,
      example: {
        max_daily_budget: { USD: 1000 },
        max_lifetime_budget: { USD: 50_000 },
        unlisted_currencies: 'refuse',
        approval: { mode: 'above', amounts: { USD: 500 } },
      },
      gathersFaults: true,
      reply: Guardrails,
      run: (ctx, { body }) => updateGuardrails(ctx, body),
    }),
  ],
  events: [guardrailsEvents],
}
