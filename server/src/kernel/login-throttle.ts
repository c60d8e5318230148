import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Problem } from './errors.ts'

/** An attempt is counted as failed from its begin, so that many at once gain nothing. */
export type LoginAttempt = { failed(): Promise<void>; succeeded(): Promise<void> }

export type LoginThrottle = {
  /** Counts an attempt, or throws 429 `login_throttled`. Unknown accounts are treated alike. */
  begin(account: string, address: string): Promise<LoginAttempt>
}

const freeFailures = 5
const longestWaitSeconds = 900
const forgetAfterSeconds = 24 * 60 * 60
const failuresPerAddress = 30
const addressWindowSeconds = 60

/** After 5 failures in a row an account waits 1, 2, 4 … 900 s; an address has 30 a minute. */
export function loginThrottle(): LoginThrottle {
  const failures = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: forgetAfterSeconds,
  })
  const waits = new RateLimiterMemory({ points: 1, duration: longestWaitSeconds })
  const addresses = new RateLimiterMemory({
    points: failuresPerAddress,
    duration: addressWindowSeconds,
  })

  async function refuseWaiting(account: string, address: string): Promise<void> {
    const [wait, window] = await Promise.all([waits.get(account), addresses.get(address)])
    // The store forgets by a timer, which may come later than the time it was set for.
    if (wait && wait.msBeforeNext > 0) throw throttled(wait.msBeforeNext)
    const isOpen = window !== null && window.msBeforeNext > 0
    if (isOpen && window.consumedPoints >= failuresPerAddress) throw throttled(window.msBeforeNext)
  }

  return {
    async begin(account, address) {
      await refuseWaiting(account, address)
      const { consumedPoints: inRow } = await failures.penalty(account)
      if (inRow >= freeFailures) await waits.block(account, waitSeconds(inRow))
      return {
        failed: async () => {
          await addresses.penalty(address)
        },
        succeeded: async () => {
          await Promise.all([failures.delete(account), waits.delete(account)])
        },
      }
    },
  }
}

const waitSeconds = (inRow: number) =>
  Math.min(longestWaitSeconds, 2 ** Math.min(inRow - freeFailures, 10))

const throttled = (milliseconds: number) => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('login_throttled', `Too many failed logins: wait ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  })
}
