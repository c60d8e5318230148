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
      const wait = await waits.look(pair)
      if (wait.used > 0) throw throttled(wait.msLeft)
    },
    async take(pair) {
      const free = await failures.take(pair, { limit: freeFailures })
      if (free.used <= freeFailures) return 0
      const place = await places.take(pair, { limit: 1 })
      if (place.used > 1) return null
      // The attempt that had the place may have failed since the waits were looked at.
      if ((await waits.look(pair)).used > 0) {
        await places.forget(pair)
        return null
      }
      const { used: inRow } = await failures.take(pair)
      return waitSeconds(inRow)
    },
    async giveBack(pair, seconds) {
      await failures.giveBack(pair)
      if (seconds > 0) await places.forget(pair)
    },
    async succeed(pair) {
      // What refuses goes last: who finds none of it finds no failures either.
      for (const counter of [failures, waits, places]) await counter.forget(pair)
    },
    async fail(pair, seconds) {
      if (seconds === 0) return
      await waits.take(pair, { seconds })
      await places.forget(pair)
    },
  }
}

const waitSeconds = (inRow: number) =>
  Math.min(longestWaitSeconds, 2 ** Math.min(inRow - freeFailures - 1, 10))
