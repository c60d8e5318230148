/** The service's source of time: real in production, moved by hand in tests. */
export type Clock = {
  now(): Date
  /** A monotonic clock in milliseconds, for durations. */
  ticksMs(): number
}

export const systemClock: Clock = { now: () => new Date(), ticksMs: () => performance.now() }

/** A clock ahead of another by a variable offset. */
export const aheadOf = (clock: Clock, aheadMs: () => number): Clock => ({
  now: () => new Date(clock.now().getTime() + aheadMs()),
  ticksMs: () => clock.ticksMs(),
})

/** A test clock: stands still until advanced. */
export type FakeClock = Clock & { advance(milliseconds: number): void }

export function fakeClock(start = new Date()): FakeClock {
  let passedMs = 0
  return {
    now: () => new Date(start.getTime() + passedMs),
    ticksMs: () => passedMs,
    advance: (milliseconds) => {
      passedMs += milliseconds
    },
  }
}
