import type { OrganizationTable } from '../../database/tables/tenant-tables.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readOrganization } from '../organizations/resource.ts'
import { sandboxEvents } from './event-types.ts'
import { manageSandbox, tag } from './resource.ts'
import { getSandbox, moveClock, resetSandbox } from './sandbox.ts'
import { ClockBody, Sandbox } from './schema.ts'

const getting = endpoint({
  operation: 'getSandbox',
  tag,
  summary: 'Get the sandbox’s clock',
  method: 'GET',
  path: '/sandbox',
  permission: readOrganization,
  reply: Sandbox,
  problems: ['not_a_sandbox'],
  run: (ctx) => getSandbox(ctx),
})

const moving = endpoint({
  operation: 'moveSandboxClock',
  tag,
  summary: 'Move the sandbox’s clock forward',
  description:
    'To a time or by a number of seconds; the clock keeps running from there. Campaigns, schedules, dayparting, delivery retries and timestamps follow within about a second; tokens, API keys and limits use real time.',
  method: 'POST',
  path: '/sandbox/clock',
  permission: manageSandbox,
  action: 'organization.clock_moved',
  isVersioned: true,
  body: ClockBody,
  example: { advance_seconds: 86_400 },
  reply: Sandbox,
  problems: ['not_a_sandbox'],
  run: (ctx, { body }) => moveClock(ctx, body),
})

const resetting = (tables: readonly OrganizationTable[]) =>
  endpoint({
    operation: 'resetSandbox',
    tag,
    summary: 'Reset the sandbox',
    description: `Deletes ${tables.join(', ').replaceAll('_', ' ')}, events, deliveries and idempotency keys, and returns the clock to real time. \`If-Match\` takes the version of the organization. Users, API keys, guardrails, webhook endpoints and the audit log stay; sequences continue.`,
    method: 'DELETE',
    path: '/sandbox',
    permission: manageSandbox,
    action: 'organization.reset',
    isVersioned: true,
    unhurried: true,
    status: 204,
    problems: ['not_a_sandbox'],
    run: (ctx) => resetSandbox(ctx, tables),
  })

/** Built from the features whose objects a reset deletes. */
export function sandboxOf(features: readonly Feature[]): Feature {
  const tables = features
    .flatMap((feature) => feature.tables ?? [])
    .flatMap(({ name, isEmptied }) => (isEmptied ? [name] : []))
  return {
    tag,
    permissions: [manageSandbox],
    evenWhenFull: { 'organization.reset': true },
    endpoints: [getting, moving, resetting(tables)],
    events: [sandboxEvents],
  }
}
