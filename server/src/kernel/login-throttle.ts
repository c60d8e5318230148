import type { Counting } from './counting/counting.ts'
import { Problem } from './errors.ts'
import type { Cipher } from './secrets.ts'

/** An attempt is counted as failed from its begin, so that many at once gain nothing. */
export type LoginAttempt = { failed(): Promise<void>; succeeded(): Promise<void> }

export type LoginThrottle = {
  /** Counts an attempt, or throws 429 `login_throttled`. Unknown accounts are treated alike. */
  begin(account: string, address: string): Promise<LoginAttempt>
}

/** The attempt after so many failures opens the first wait. */
const freeFailures = 4
const longestWaitSeconds = 900
const forgetAfterSeconds = 24 * 60 * 60
const failuresPerAddress = 30
const addressWindowSeconds = 60

/** After 5 failures in a row an account waits 1, 2, 4 … 900 s; an address has 30 a minute. */
export function loginThrottle(counting: Counting, cipher: Cipher): LoginThrottle {
  const failures = counting.counter({ name: 'login-failures', seconds: forgetAfterSeconds })
  const waits = counting.counter({ name: 'login-waits', seconds: longestWaitSeconds })
  const addresses = counting.counter({ name: 'login-addresses', seconds: addressWindowSeconds })
  // Whoever reads the store learns nobody's email or address from it.
  const keyOf = (text: string) => cipher.sign(text, 'login throttle').toString('base64url')

  async function refuseWaiting(account: string, address: string): Promise<void> {
    const [wait, window] = await Promise.all([waits.get(account), addresses.get(address)])
    if (wait) throw throttled(wait.msBeforeNext)
    if (window && window.consumedPoints >= failuresPerAddress) throw throttled(window.msBeforeNext)
  }

  /** Of many at once, on whatever processes, each takes another failure's place or the one wait's. */
  async function countAsFailed(account: string): Promise<void> {
    const free = await failures.consume(account, 1, { limit: freeFailures })
    if (free.consumedPoints <= freeFailures) return
    const customDuration = waitSeconds(free.consumedPoints)
    const wait = await waits.consume(account, 1, { limit: 1, customDuration })
    if (wait.consumedPoints > 1) throw throttled(wait.msBeforeNext)
    await failures.penalty(account)
  }

  return {
    async begin(account, address) {
      const [accountKey, addressKey] = [keyOf(account), keyOf(address)]
      await refuseWaiting(accountKey, addressKey)
      await countAsFailed(accountKey)
      return {
        failed: async () => {
          await addresses.penalty(addressKey)
        },
        succeeded: async () => {
          await Promise.all([failures.delete(accountKey), waits.delete(accountKey)])
        },
      }
    },
  }
}

const waitSeconds = (inRow: number) =>
  Math.min(longestWaitSeconds, 2 ** Math.min(inRow - freeFailures - 1, 10))

const throttled = (milliseconds: number) => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('login_throttled', `Too many failed logins: wait ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  })
}
