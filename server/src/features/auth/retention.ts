import { purge } from '../../database/upkeep/purge.ts'
import { loginLimits } from '../../identity/logins/limits.ts'
import type { Services } from '../../kernel/context.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000

/** Deletes sessions that ended or expired more than 30 days ago. */
export const purgeSessions = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'sessions', endedAt: 'least(ended_at, expires_at)', keptMs }, signal)

/** Deletes networks whose last login is too old for them to count as known. */
export const purgeLoginNetworks = (services: Services, signal: AbortSignal) =>
  purge(
    services,
    { table: 'login_networks', endedAt: 'last_login_at', keptMs: loginLimits.knownNetworkMs },
    signal,
  )

/** Deletes factors that were not verified in time. */
export const purgeFactors = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'factors', endedAt: 'expires_at', keptMs: 0 }, signal)

const challengesKeptMs = 24 * 60 * 60 * 1000

export const purgeChallenges = (services: Services, signal: AbortSignal) =>
  purge(
    services,
    { table: 'login_challenges', endedAt: 'expires_at', keptMs: challengesKeptMs },
    signal,
  )
