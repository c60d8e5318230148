/** Where the service reads the time: real in production, moved by hand in tests. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that is ahead of another, by as much as is so at the moment. */
export const aheadOf = (clock: Clock, aheadMs: () => number): Clock => ({
  now: () => new Date(clock.now().getTime() + aheadMs()),
})

/** A test's clock: stands still until it is moved. */
export type FakeClock = Clock & { advance(milliseconds: number): void }

export function fakeClock(start = new Date()): FakeClock {
  let current = start.getTime()
  return {
    now: () => new Date(current),
    advance: (milliseconds) => {
      current += milliseconds
    },
  }
}
