import type { FakeClock } from '../../server/src/values/clock.ts'

/** The real time, which a test may move forward. */
export function movingClock(): FakeClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    ticksMs: () => performance.now() + aheadMs,
    advance: (milliseconds) => {
      aheadMs += milliseconds
    },
  }
}
