import type { EndpointKey } from '../delivery/due.ts'
import type { Verdicts } from '../delivery/kit.ts'
import { disableEndpoint, tellFailing } from '../features/webhook-endpoints/status.ts'
import type { Context, Services } from '../kernel/context.ts'
import { actAsSystem } from '../kernel/system.ts'

/** What the delivery finds out about endpoints becomes a change that is audited and told. */
export function verdictsOf(services: Services): Verdicts {
  const act = async (
    { organizationId, endpointId }: EndpointKey,
    work: (ctx: Context, id: string) => Promise<unknown>,
  ): Promise<void> => {
    const ctx = await actAsSystem(services, organizationId, 'webhook delivery')
    if (ctx) await work(ctx, endpointId)
  }
  return {
    gone: (key) => act(key, (ctx, id) => disableEndpoint(ctx, id, 'gone')),
    dead: (key) => act(key, (ctx, id) => disableEndpoint(ctx, id, 'failing')),
    failing: (key) => act(key, tellFailing),
  }
}
