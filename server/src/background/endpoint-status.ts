import { setTimeout as sleep } from 'node:timers/promises'
import { semaphore } from '../concurrency/semaphore.ts'
import type { EndpointStatusChanges } from '../delivery/deps.ts'
import type { EndpointKey } from '../delivery/due.ts'
import { disableEndpoint, recordFailing } from '../features/webhook-endpoints/status.ts'
import type { Context, Services } from '../kernel/context.ts'
import { actAsSystem } from '../kernel/context.ts'

/**
 * Turns status changes found by the delivery worker into audited changes with events. One at a time,
 * each followed by a pause of the same length: many may come at once, and they block the other
 * writers of the organization.
 */
export function endpointStatusChanges(services: Services): EndpointStatusChanges {
  const oneAtATime = semaphore({ atOnce: 1, waiting: Number.POSITIVE_INFINITY })
  const act = (
    { organizationId, endpointId }: EndpointKey,
    work: (ctx: Context, id: string) => Promise<unknown>,
  ): Promise<void> =>
    oneAtATime(async () => {
      const begun = performance.now()
      const ctx = await actAsSystem(services, organizationId, 'webhook delivery')
      if (ctx) await work(ctx, endpointId)
      await sleep(performance.now() - begun)
    })
  return {
    gone: (key) => act(key, (ctx, id) => disableEndpoint(ctx, id, 'gone')),
    dead: (key) => act(key, (ctx, id) => disableEndpoint(ctx, id, 'failing')),
    failing: (key) => act(key, recordFailing),
  }
}
