/** Login limits; also documented in docs/guides/limits.md. */
export const loginLimits = {
  /** Consecutive failures of an account from one network; the next one starts the waits. */
  freeFailures: 4,
  longestWaitSeconds: 900,
  forgottenAfterSeconds: 24 * 60 * 60,
  /** Failures of an account across all networks. */
  accountFailures: 100,
  accountWindowSeconds: 60 * 60,
  /** Over that limit: the wait between attempts from networks without a recent login. */
  unknownNetworkWaitSeconds: 60,
  /** How long a network stays known after a login from it. */
  knownNetworkMs: 30 * 24 * 60 * 60 * 1000,
  /** Failures from one address (IPv6: one /64), across all accounts. */
  addressFailures: 30,
  addressWindowSeconds: 60,
} as const
