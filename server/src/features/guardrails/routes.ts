import { endpoint, type Feature } from '../../http/endpoint.ts'
import { guardrailsEvents } from './event-types.ts'
import { getGuardrails, updateGuardrails } from './guardrails.ts'
import { Guardrails, GuardrailsChanges } from './schema.ts'

const tag = 'Organization'

export const guardrails: Feature = {
  endpoints: [
    endpoint({
      operation: 'getGuardrails',
      tag,
      summary: 'Get the guardrails of the own organization',
      method: 'GET',
      path: '/organization/guardrails',
      permission: 'guardrails.read',
      reply: Guardrails,
      run: (ctx) => getGuardrails(ctx),
    }),
    endpoint({
      operation: 'updateGuardrails',
      tag,
      summary: 'Change the guardrails of the own organization',
      description:
        'A field sent is set as a whole, null clears it, a field left out stays. They hold from the next request on; what runs already goes on.',
      method: 'PUT',
      path: '/organization/guardrails',
      permission: 'guardrails.write',
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
