import type { Counting } from '../../limits/counters/counters.ts'
import { loginLimits } from './limits.ts'
import { throttled } from './throttled.ts'

/**
 * An account, its pair with the network of the attempt, and whether it recently logged in from
 * there.
 */
export type Tried = { readonly account: string; readonly pair: string; readonly isKnown: boolean }

/**
 * How an attempt is counted: within the hour's limit, slowed (unknown network over the limit), or
 * not at all.
 */
export type Share = 'counted' | 'slowed' | 'free'

/**
 * Failures of an account across all networks. Over the limit, only networks without a recent login
 * are slowed down, each by its own attempts, so an attacker cannot lock the account's user out.
 */
export type Accounts = {
  /** Counts a failure in advance, or throws 429. */
  take(tried: Tried): Promise<Share>
  giveBack(tried: Tried, share: Share): Promise<void>
  fail(tried: Tried, share: Share): Promise<void>
}

const { accountFailures, accountWindowSeconds, unknownNetworkWaitSeconds } = loginLimits

export function accountsIn(counting: Counting): Accounts {
  const failures = counting.counter({ name: 'login-accounts', seconds: accountWindowSeconds })
  const attempts = counting.counter({ name: 'login-attempts', seconds: unknownNetworkWaitSeconds })

  return {
    async take({ account, pair, isKnown }) {
      const counted = await failures.take(account, { limit: accountFailures })
      if (counted.used <= accountFailures) return 'counted'
      if (isKnown) return 'free'
      const last = await attempts.take(pair, { limit: 1 })
      if (last.used > 1) throw throttled(last.msLeft)
      return 'slowed'
    },
    async giveBack({ account, pair }, share) {
      if (share === 'counted') await failures.giveBack(account)
      if (share === 'slowed') await attempts.forget(pair)
    },
    /** The wait runs from the last attempt, including one made before the limit was reached. */
    async fail({ pair }, share) {
      if (share !== 'counted') return
      await attempts.forget(pair)
      await attempts.take(pair)
    },
  }
}
