import { purge } from '../../database/purge.ts'

/** Ended windows stay this long, so that no clock's error ends one that is open. */
const keptMs = 60 * 60 * 1000

export const purgeRateLimits = (services: Parameters<typeof purge>[0], signal: AbortSignal) =>
  purge(services, { table: 'rate_limits', endedAt: 'expires_at', keptMs }, signal)
