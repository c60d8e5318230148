/** Where the service reads the time: real in production, moved by hand in tests. */
export type Clock = {
  now(): Date
  /** Milliseconds since some moment, which go on evenly when the time is set: how long something lasts. */
  ticksMs(): number
}

export const systemClock: Clock = { now: () => new Date(), ticksMs: () => performance.now() }

/** A clock that is ahead of another, by as much as is so at the moment. */
export const aheadOf = (clock: Clock, aheadMs: () => number): Clock => ({
  now: () => new Date(clock.now().getTime() + aheadMs()),
  ticksMs: () => clock.ticksMs(),
})

/** A test's clock: stands still until it is moved. */
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
