import type { CapName } from '../../config/config.ts'
import type { Context } from '../../kernel/context.ts'
import { usedCounts } from '../../kernel/quotas.ts'
import { windowSeconds } from '../../limits/rate-limit.ts'
import type { Limits } from './schema.ts'
import { storageOf } from './storage.ts'

/** The plan's limits and current usage. */
export async function getLimits(ctx: Context): Promise<Limits> {
  const { config, limits } = ctx.services
  const [window, used, storage] = await Promise.all([
    limits.look(ctx.organization),
    usedCounts(ctx),
    storageOf(ctx),
  ])
  const capOf = (name: CapName) => ({ limit: config.caps[name], used: used[name] ?? 0 })
  return {
    plan: ctx.organization.plan,
    requests: {
      limit: window.limit,
      remaining: window.remaining,
      window_seconds: windowSeconds,
      reset_seconds: window.resetSeconds,
    },
    caps: {
      campaigns: capOf('campaigns'),
      profiles: capOf('profiles'),
      proxies: capOf('proxies'),
      templates: capOf('templates'),
      webhook_endpoints: capOf('webhook_endpoints'),
      members: capOf('members'),
      api_keys: capOf('api_keys'),
    },
    storage,
  }
}
