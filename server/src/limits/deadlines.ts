// The real timer, even if a test has faked the global one: responses take real time.
import { setInterval } from 'node:timers'
import { NoAnswer } from '../database/unavailable.ts'
import { retryLater } from '../problems/problem.ts'

/** How many checks a request has lived through, and whether it is late. */
export type Timed = { looks: number; isLate: boolean }

/** Ends requests in time, whatever the database does. */
export type Deadlines = {
  readonly running: number
  /** Rejects with 503 after the limit. The work continues, and its result is dropped. */
  within<T>(timed: Timed, work: () => Promise<T>): Promise<T>
  /** Called periodically by a timer. */
  look(): void
  close(): void
}

type TimedRun = { timed: Timed; reject(error: unknown): void }

const defaults = { limitMs: 5_000, everyMs: 250 }

/**
 * One timer for all requests. It counts ticks, not time: while the process is blocked, database
 * results wait to be read.
 */
export function openDeadlines({ limitMs, everyMs } = defaults): Deadlines {
  const runs = new Set<TimedRun>()
  // The first tick may come right after a request starts: it gets a full limit after that.
  const most = limitMs / everyMs + 1

  function look(): void {
    for (const run of runs) {
      run.timed.looks += 1
      if (run.timed.looks < most) continue
      run.timed.isLate = true
      runs.delete(run)
      run.reject(retryLater('unavailable', new NoAnswer()))
    }
  }
  const looking = setInterval(look, everyMs).unref()

  return {
    get running() {
      return runs.size
    },
    within: (timed, work) =>
      new Promise((resolve, reject) => {
        const run = { timed, reject }
        runs.add(run)
        work().then(
          (result) => {
            runs.delete(run)
            resolve(result)
          },
          (error: unknown) => {
            runs.delete(run)
            reject(error)
          },
        )
      }),
    look,
    close: () => clearInterval(looking),
  }
}

/** Throws before starting or storing work that no client waits for. */
export function throwIfLate(timed: Timed | null | undefined): void {
  if (timed?.isLate) throw retryLater('unavailable', new NoAnswer())
}
