import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect, vi } from 'vitest'
import type { Background } from '../../src/background/scheduler.ts'
import { backgroundOf } from './machines/background.ts'
import type { Received, Receiver } from './machines/receiver.ts'
import type { OwnWorld } from './own-world.ts'
import type { Client } from './world.ts'

/** Allows local receivers, without TLS. */
export const openToLocal = {
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
}

/** The service's background work, once all of it has started. */
export async function deliveringIn({ services, database }: OwnWorld): Promise<Background> {
  const started = backgroundOf({ services, address: database.address })
  await vi.waitFor(async () => {
    expect((await services.observability.readiness.report()).checks.queue).toBe('running')
  }, 20_000)
  return started
}

export const subscribe = async (owner: Client, { url }: Receiver, body: object = {}) =>
  (await owner.post('/webhook_endpoints', { url, ...body })).json()

export const deliveriesOf = async (owner: Client, { id }: { id: string }, query = '') =>
  (await owner.get(`/webhook_endpoints/${id}/deliveries?limit=100&${query}`)).json().data

export const withStatus = (owner: Client, endpoint: { id: string }, status: string, count = 1) =>
  vi.waitFor(async () => {
    const found = await deliveriesOf(owner, endpoint, `status=${status}`)
    expect(found).toHaveLength(count)
    return found
  }, 20_000)

/** Verifies with both well-known libraries. */
export function verify({ body, headers }: Received, secret: string): void {
  new StandardWebhook(secret).verify(body, headers)
  new SvixWebhook(secret).verify(body, headers)
}
