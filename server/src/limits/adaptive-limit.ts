/** A concurrency limit that adapts to the throughput. */
export type AdaptiveLimit = {
  now(): number
  /** The limit was reached. */
  noteFull(): void
  /** Work of this weight has completed. */
  noteDone(weight: number): void
}

export const unlimited: AdaptiveLimit = {
  now: () => Number.POSITIVE_INFINITY,
  noteFull() {},
  noteDone() {},
}

const windowMs = 250
/** Older measurements are discarded. */
const staleMs = 5_000
/** Below this, work would no longer overlap. */
const minimum = 64

/**
 * Sized so that the last admitted request waits at most `patienceMs`, from the recent throughput.
 * Refusals cost time too, so throughput during a flood cannot be predicted.
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
