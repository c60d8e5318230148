import { endpoint, type Feature } from '../../http/endpoint.ts'
import { sandboxEvents } from './event-types.ts'
import { getSandbox, moveClock, resetSandbox } from './sandbox.ts'
import { ClockBody, Sandbox } from './schema.ts'

const tag = 'Sandbox'

export const sandbox: Feature = {
  endpoints: [
    endpoint({
      operation: 'getSandbox',
      tag,
      summary: 'Get the sandbox’s clock',
      method: 'GET',
      path: '/sandbox',
      permission: 'organization.read',
      reply: Sandbox,
      problems: ['not_a_sandbox'],
      run: (ctx) => getSandbox(ctx),
    }),
    endpoint({
      operation: 'moveSandboxClock',
      tag,
      summary: 'Move the sandbox’s clock forward',
      description:
        'To a time or by a number of seconds; the clock keeps running from there. Campaigns, schedules, dayparting, delivery retries and timestamps follow within about a second; tokens, API keys and limits use real time.',
      method: 'POST',
      path: '/sandbox/clock',
      permission: 'sandbox.manage',
      action: 'organization.clock_moved',
      isVersioned: true,
      body: ClockBody,
      example: { advance_seconds: 86_400 },
      reply: Sandbox,
      problems: ['not_a_sandbox'],
      run: (ctx, { body }) => moveClock(ctx, body),
    }),
    endpoint({
      operation: 'resetSandbox',
      tag,
      summary: 'Reset the sandbox',
      description:
        'Deletes campaigns, profiles, proxies, templates, events, deliveries and idempotency keys, and returns the clock to real time. `If-Match` takes the version of the organization. Users, API keys, guardrails, webhook endpoints and the audit log stay; sequences continue.',
      method: 'DELETE',
      path: '/sandbox',
      permission: 'sandbox.manage',
      action: 'organization.reset',
      isVersioned: true,
      unhurried: true,
      status: 204,
      problems: ['not_a_sandbox'],
      run: (ctx) => resetSandbox(ctx),
    }),
  ],
  events: [sandboxEvents],
}
