import type { Context } from '../../kernel/context.ts'
import { usedCounts } from '../../kernel/quotas.ts'
import { isNearlyFull, storageLimitOf } from '../../kernel/storage.ts'
import { windowSeconds } from '../../limits/rate-limit.ts'
import type { Limits, StorageCap } from './schema.ts'

/** The plan's limits and current usage. */
export async function getLimits(ctx: Context): Promise<Limits> {
  const { config, declared, limits } = ctx.services
  const [window, measured] = await Promise.all([
    limits.rates.look(ctx.organization),
    declared.storage.measure(ctx),
  ])
  // Set right by the measurement.
  const used = await usedCounts(ctx)
  const storage = {
    limit: storageLimitOf(ctx),
    used: ctx.scope ? measured.bytes : (used.storage ?? 0),
  }
  return {
    plan: ctx.organization.plan,
    requests: {
      limit: window.limit,
      remaining: window.remaining,
      window_seconds: windowSeconds,
      reset_seconds: window.resetSeconds,
    },
    caps: {
      ...Object.fromEntries(
        declared.caps.map(({ name }) => [
          name,
          { limit: config.caps[name], used: used[name] ?? 0 },
        ]),
      ),
      storage,
    },
    storage: { state: stateOf(storage), ...measured },
  }
}

function stateOf({ limit, used }: StorageCap): Limits['storage']['state'] {
  if (limit === null || !isNearlyFull(used, limit)) return 'ok'
  return used < limit ? 'nearly_full' : 'full'
}
