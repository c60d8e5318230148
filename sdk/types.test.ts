import { expect, test } from 'vitest'
import { createFlightdeck, other, type Schema } from './src/client.ts'

const flightdeck = createFlightdeck({
  baseUrl: 'http://127.0.0.1:9',
  token: 't',
  retries: 0,
  fetch: async () => new Response('{}'),
})
const { campaigns, events, sandbox, webhookEndpoints } = flightdeck
const profile_id = 'prf_1'
const url = 'https://example.com/hooks'

/** The compiler checks these; they are never called. */
export const refused = [
  // @ts-expect-error: no object
  () => campaigns.create(42),
  // @ts-expect-error: neither of its own nor from a template
  () => campaigns.create({}),
  // @ts-expect-error: without an objective
  () => campaigns.create({ name: 'A', profile_id }),
  // @ts-expect-error: a field that there is not
  () => campaigns.create({ name: 'A', objective: 'sales', profile_id, budgt: 1 }),
  // @ts-expect-error: an objective that there is not
  () => campaigns.create({ name: 'A', objective: 'nonsense', profile_id }),
  // @ts-expect-error: the same where a template gives the others
  () => campaigns.create({ template_id: 'tpl_1', objective: 'nonsense' }),
  // @ts-expect-error: the same in a change
  () => campaigns.update('cmp_1', { objective: 'nonsense' }),
  // @ts-expect-error: the same in bulk
  () => campaigns.bulk({ mode: 'atomic', operations: [{ op: 'create', body: {} }] }),
  // @ts-expect-error: a status that there is not
  () => campaigns.list({ status: 'actve' }),
  // @ts-expect-error: one of two that there is not
  () => campaigns.list({ status: ['active', 'actve'] }),
  // @ts-expect-error: comma text
  () => campaigns.list({ status: 'active,paused' }),
  // @ts-expect-error: an objective that there is not
  () => campaigns.list({ objective: 'nonsense' }),
  // @ts-expect-error: a field that there is not
  () => campaigns.list({ fields: ['nmae'] }),
  // @ts-expect-error: an order that there is not
  () => campaigns.list({ sort: 'colour' }),
  // @ts-expect-error: an event type that there is not
  () => events.list({ type: 'campaign.pausd' }),
  // @ts-expect-error: the same in a stream
  () => events.stream({ type: ['campaign.*', 'nonsense'] }),
  // @ts-expect-error: the same in a subscription
  () => webhookEndpoints.create({ url, events: ['nonsense'] }),
  // @ts-expect-error: neither of the two
  () => sandbox.moveClock({}),
]

/** Requests that service and compiler take. */
export const taken = [
  () => campaigns.create({ name: 'A', objective: 'sales', profile_id, daily_budget: '33.51' }),
  () => campaigns.create({ name: 'A', objective: 'OUTCOME_SALES', profile_id }),
  () => campaigns.create({ template_id: 'tpl_1' }),
  () => campaigns.create({ name: 'A', objective: 'sales', profile_id, template_id: 'tpl_1' }),
  () => campaigns.create({ name: 'A', objective: other('Outcome_Sales'), profile_id }),
  (from: Schema<'Campaign'>) =>
    campaigns.create({ name: 'A', objective: from.objective, profile_id: from.profile_id }),
  (from: Schema<'Campaign'>) => campaigns.list({ status: from.status, objective: from.objective }),
  () => campaigns.list({ status: 'active', label: ['a', 'b'], fields: ['name'], sort: '-name' }),
  () => campaigns.list({ status: ['active', 'paused'] as const, objective: 'VIDEO_VIEW' }),
  () => events.stream({ type: ['campaign.*', 'profile.updated'] }),
  () => webhookEndpoints.create({ url, events: ['campaign.paused', '*'] }),
  (from: Schema<'WebhookEndpoint'>) => webhookEndpoints.create({ url, events: from.events }),
  () => sandbox.moveClock({ advance_seconds: 60 }),
]

test('what the compiler takes reaches the service', async () => {
  const calls = taken.slice(0, 5) as (() => PromiseLike<unknown>)[]
  for (const call of calls) expect(await call()).toEqual({})
})
