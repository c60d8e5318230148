import type { Counting } from '../../limits/counters/counters.ts'
import { loginLimits } from './limits.ts'
import { throttled } from './throttled.ts'

/** How long an attempt may hold its pair's only slot; exceeded only if the process was killed. */
const maxAttemptSeconds = 30

/**
 * An account tried from one network: failures there do not affect other networks. After the free
 * failures, attempts run one at a time and wait 1, 2, 4 … seconds.
 */
export type Pairs = {
  refuseWaiting(pair: string): Promise<void>
  /**
   * Counts a failure in advance. Returns the wait in seconds if it fails; null while another
   * attempt runs.
   */
  take(pair: string): Promise<number | null>
  giveBack(pair: string, seconds: number): Promise<void>
  succeed(pair: string): Promise<void>
  fail(pair: string, seconds: number): Promise<void>
}

const { freeFailures, longestWaitSeconds, forgottenAfterSeconds } = loginLimits

export function pairsIn(counting: Counting): Pairs {
  const failures = counting.counter({ name: 'login-failures', seconds: forgottenAfterSeconds })
  const waits = counting.counter({ name: 'login-waits', seconds: longestWaitSeconds })
  const places = counting.counter({ name: 'login-places', seconds: maxAttemptSeconds })

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
      // The attempt that held the slot may have failed since the waits were read.
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
      // The blocking keys go last, so that a concurrent attempt sees no stale failures.
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
