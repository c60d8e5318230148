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
      summary: 'Get the clock of the sandbox',
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
      summary: 'Set the clock of the sandbox forward',
      description:
        'To a time, or by a number of seconds; it ticks on from there. Campaigns, schedules, dayparting, retries of deliveries and timestamps follow it within about a second; tokens, API keys and limits go by the real time.',
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
      summary: 'Empty the sandbox',
      description:
        'Campaigns, profiles, proxies, templates, events, deliveries and idempotency keys go, and the clock is real again. `If-Match` names the version of the organization. Users, API keys, guardrails, webhook endpoints and the audit log stay; sequences go on.',
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
