/** Attempts of one endpoint that have begun and not ended. */
export type InFlight = {
  readonly count: number
  /** `attempt` does not fail. */
  add(attempt: Promise<void>): void
  /** Resolves when any of them has ended. */
  slotFreed(): Promise<void>
  allEnded(): Promise<unknown>
}

export function inFlightAttempts(): InFlight {
  const attempts = new Set<Promise<void>>()
  let freed = Promise.withResolvers<void>()

  function end(attempt: Promise<void>): void {
    attempts.delete(attempt)
    freed.resolve()
    freed = Promise.withResolvers<void>()
  }

  return {
    get count() {
      return attempts.size
    },
    add: (attempt) => {
      attempts.add(attempt)
      void attempt.then(() => end(attempt))
    },
    slotFreed: () => freed.promise,
    allEnded: () => Promise.all(attempts),
  }
}
