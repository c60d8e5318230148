// By the real clock, also where a test has replaced the global one: answers come in real time.
import { setInterval } from 'node:timers'

const lookEveryMs = 1_000

type Watched = {
  /** What is answered next; null when nothing is under way. */
  oldest(): unknown
  /** Called after so long without an answer to the oldest. */
  silentMs: number
  giveUp(): void
}

/**
 * Looks once a second; answers how to stop. The timers that pg would set instead, one for each
 * statement, cost time, and keep what it read from being collected early: docs/decisions/0004-statement-batching.md.
 */
export function watchForSilence({ oldest, silentMs, giveUp }: Watched): () => void {
  let awaited: unknown = null
  let looks = 0
  const look = () => {
    const current = oldest()
    looks = current === awaited ? looks + 1 : 0
    awaited = current
    // Counted, not timed: a process that was held up itself still has the answer to read.
    if (current !== null && looks * lookEveryMs >= silentMs) giveUp()
  }
  const looking = setInterval(look, lookEveryMs).unref()
  return () => clearInterval(looking)
}
