import { purge } from '../../database/upkeep/purge.ts'

/** Kept this long past the end, so that clock skew never ends an open window. */
const keptMs = 60 * 60 * 1000

export const purgeRateLimits = (services: Parameters<typeof purge>[0], signal: AbortSignal) =>
  purge(services, { table: 'rate_limits', endedAt: 'expires_at', keptMs }, signal)
