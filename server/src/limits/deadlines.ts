// By the real clock, also where a test has replaced the global one: answers come in real time.
import { setInterval } from 'node:timers'
import { retryLater } from '../problems/problem.ts'

/** How long a request has been at work, and whether that was too long. */
export type Timed = { looks: number; isLate: boolean }

/** Requests end in time, whatever the database does. */
export type Deadlines = {
  readonly running: number
  /** Fails with 503 once the time is up. The work goes on, and what comes of it is dropped. */
  within<T>(timed: Timed, work: () => Promise<T>): Promise<T>
  /** Once in a while; called by a timer. */
  look(): void
  close(): void
}

type Run = { timed: Timed; reject(error: unknown): void }

const standard = { limitMs: 5_000, everyMs: 250 }

/**
 * One timer for all requests. Looks are counted, not time: while the process itself is held up, the
 * answers of the database wait to be read.
 */
export function openDeadlines({ limitMs, everyMs } = standard): Deadlines {
  const runs = new Set<Run>()
  // The first look comes at once after some requests begin: they get a whole limit after it.
  const most = limitMs / everyMs + 1

  function look(): void {
    for (const run of runs) {
      run.timed.looks += 1
      if (run.timed.looks < most) continue
      run.timed.isLate = true
      runs.delete(run)
      run.reject(retryLater('unavailable'))
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

/** Before something is begun or kept that nobody waits for any more. */
export function throwIfLate(timed: Timed | null | undefined): void {
  if (timed?.isLate) throw retryLater('unavailable')
}
