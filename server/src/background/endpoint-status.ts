import { setTimeout as sleep } from 'node:timers/promises'
import { semaphore } from '../concurrency/semaphore.ts'
import type { EndpointStatusChanges } from '../delivery/deps.ts'
import type { EndpointKey } from '../delivery/due.ts'
import { disableEndpoint, recordFailing } from '../features/webhook-endpoints/status.ts'
import type { Context, Services } from '../kernel/context.ts'
import { actAsSystem } from '../kernel/context.ts'

/**
 * What the delivery finds out about endpoints becomes a change that is audited and told: one after the
 * other, and as much time is left between two. Many may come at once, in one organization, where whoever
 * writes waits for them.
 */
export function endpointStatusChanges(services: Services): EndpointStatusChanges {
  const turns = semaphore({ atOnce: 1, waiting: Number.POSITIVE_INFINITY })
  const act = (
    { organizationId, endpointId }: EndpointKey,
    work: (ctx: Context, id: string) => Promise<unknown>,
  ): Promise<void> =>
    turns(async () => {
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
