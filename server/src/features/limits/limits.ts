import type { Context } from '../../kernel/context.ts'
import { usedCounts } from '../../kernel/quotas.ts'
import { windowSeconds } from '../../limits/rate-limit.ts'
import type { Limits } from './schema.ts'
import type { Measure } from './storage.ts'

/** The plan's limits and current usage. */
export async function getLimits(ctx: Context, measure: Measure): Promise<Limits> {
  const { caps, config, limits } = ctx.services
  const [window, used, storage] = await Promise.all([
    limits.look(ctx.organization),
    usedCounts(ctx),
    measure(ctx),
  ])
  return {
    plan: ctx.organization.plan,
    requests: {
      limit: window.limit,
      remaining: window.remaining,
      window_seconds: windowSeconds,
      reset_seconds: window.resetSeconds,
    },
    caps: Object.fromEntries(
      caps.map(({ name }) => [name, { limit: config.caps[name], used: used[name] ?? 0 }]),
    ),
    storage,
  }
}
