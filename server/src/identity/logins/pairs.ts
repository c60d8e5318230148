import type { Counting } from '../../limits/counters/counters.ts'
import { loginLimits } from './limits.ts'
import { throttled } from './throttled.ts'

/** How long an attempt may hold the one place of its pair: longer than any takes, unless it was killed. */
const longestAttemptSeconds = 30

/**
 * An account as it is tried from one network: failures there keep nobody out elsewhere. After the free
 * failures attempts go one at a time, and wait 1, 2, 4 … seconds.
 */
export type Pairs = {
  refuseWaiting(pair: string): Promise<void>
  /** Counts a failure ahead. The seconds to wait should it fail; null while another attempt is judged. */
  take(pair: string): Promise<number | null>
  giveBack(pair: string, seconds: number): Promise<void>
  succeed(pair: string): Promise<void>
  fail(pair: string, seconds: number): Promise<void>
}

const { freeFailures, longestWaitSeconds, forgottenAfterSeconds } = loginLimits

export function pairsIn(counting: Counting): Pairs {
  const failures = counting.counter({ name: 'login-failures', seconds: forgottenAfterSeconds })
  const waits = counting.counter({ name: 'login-waits', seconds: longestWaitSeconds })
  const places = counting.counter({ name: 'login-places', seconds: longestAttemptSeconds })

  return {
    async refuseWaiting(pair) {
      const wait = await waits.get(pair)
      if (wait) throw throttled(wait.msBeforeNext)
    },
    async take(pair) {
      const free = await failures.consume(pair, 1, { limit: freeFailures })
      if (free.consumedPoints <= freeFailures) return 0
      const place = await places.consume(pair, 1, { limit: 1 })
      if (place.consumedPoints > 1) return null
      // The attempt that had the place may have failed since the waits were looked at.
      if (await waits.get(pair)) {
        await places.delete(pair)
        return null
      }
      const { consumedPoints: inRow } = await failures.penalty(pair)
      return waitSeconds(inRow)
    },
    async giveBack(pair, seconds) {
      await failures.reward(pair)
      if (seconds > 0) await places.delete(pair)
    },
    async succeed(pair) {
      // What refuses goes last: who finds none of it finds no failures either.
      for (const counter of [failures, waits, places]) await counter.delete(pair)
    },
    async fail(pair, seconds) {
      if (seconds === 0) return
      await waits.consume(pair, 1, { customDuration: seconds })
      await places.delete(pair)
    },
  }
}

const waitSeconds = (inRow: number) =>
  Math.min(longestWaitSeconds, 2 ** Math.min(inRow - freeFailures - 1, 10))
