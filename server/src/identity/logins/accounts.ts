import type { Counting } from '../../limits/counters/counters.ts'
import { loginLimits } from './limits.ts'
import { throttled } from './throttled.ts'

/** An account, the pair of it with the network of an attempt, and whether it lately logged in there. */
export type Tried = { readonly account: string; readonly pair: string; readonly isKnown: boolean }

/** As what an attempt counts: one of the hour's, one of an unknown network beyond these, or as nothing. */
export type Share = 'counted' | 'slowed' | 'free'

/**
 * Failures of an account from all networks together. Too many slow down networks that it did not log in
 * from lately, each by its own attempts: so nobody keeps anybody else out.
 */
export type Accounts = {
  /** Counts a failure ahead, or throws 429. */
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
    /** The wait counts from the last attempt, also from one before the hour's were used up. */
    async fail({ pair }, share) {
      if (share !== 'counted') return
      await attempts.forget(pair)
      await attempts.take(pair)
    },
  }
}
