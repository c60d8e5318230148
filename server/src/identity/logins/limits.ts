/** How logins are limited. The tables in docs/guides/limits.md and SECURITY.md say the same. */
export const loginLimits = {
  /** Of an account from one network in a row; the next failure opens the first wait. */
  freeFailures: 4,
  longestWaitSeconds: 900,
  forgottenAfterSeconds: 24 * 60 * 60,
  /** Of an account from all networks together. */
  accountFailures: 100,
  accountWindowSeconds: 60 * 60,
  /** Beyond these, between two attempts from a network that the account did not log in from lately. */
  unknownNetworkWaitSeconds: 60,
  /** A network is known for so long after a login from it. */
  knownNetworkMs: 30 * 24 * 60 * 60 * 1000,
  /** Of one address, or of an IPv6 /64, whatever the accounts. */
  addressFailures: 30,
  addressWindowSeconds: 60,
} as const
