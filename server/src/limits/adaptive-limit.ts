/** How much may run in a room at present. */
export type AdaptiveLimit = {
  now(): number
  /** That was not enough for somebody. */
  noteFull(): void
  /** The work of so much of it has ended. */
  noteDone(weight: number): void
}

export const unlimited: AdaptiveLimit = {
  now: () => Number.POSITIVE_INFINITY,
  noteFull() {},
  noteDone() {},
}

const windowMs = 250
/** What is longer ago says nothing of now. */
const staleMs = 5_000
/** With fewer at once, nothing would overlap any more. */
const minimum = 64

/**
 * When it is not enough, as much may run as was done of late within the patience: so long waits who
 * comes in last. Refusing takes time too, so what is done in a flood cannot be known before it comes.
 */
export function adaptiveLimit(
  { most, patienceMs }: { most: number; patienceMs: number },
  clock: () => number,
): AdaptiveLimit {
  let present = most
  let begun = clock()
  let done = 0
  let isFull = false

  function look(): void {
    const ms = clock() - begun
    if (ms < windowMs) return
    const pace = done / ms
    present =
      isFull && ms < staleMs
        ? Math.min(most, Math.max(minimum, Math.round(pace * patienceMs)))
        : most
    begun += ms
    done = 0
    isFull = false
  }

  return {
    now() {
      look()
      return present
    },
    noteFull() {
      isFull = true
    },
    noteDone(weight) {
      done += weight
    },
  }
}
