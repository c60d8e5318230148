// The real timer, even where a test has replaced the global one: answers come in real time.
import { setInterval } from 'node:timers'

const checkEveryMs = 1_000

type Watched = {
  /** The batch to be answered next; null when none is in flight. */
  oldest(): unknown
  /** `giveUp` is called after this long without an answer to the oldest. */
  silentMs: number
  giveUp(): void
}

/**
 * Checks once a second; returns a function that stops it. pg's own timers, one per statement, cost
 * time and delay garbage collection: docs/decisions/0004-statement-batching.md.
 */
export function watchForSilence({ oldest, silentMs, giveUp }: Watched): () => void {
  let awaited: unknown = null
  let checks = 0
  const check = () => {
    const current = oldest()
    checks = current === awaited ? checks + 1 : 0
    awaited = current
    // Counted, not timed: after a stall of this process the answer may be waiting to be read.
    if (current !== null && checks * checkEveryMs >= silentMs) giveUp()
  }
  const timer = setInterval(check, checkEveryMs).unref()
  return () => clearInterval(timer)
}
