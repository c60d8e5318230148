/** Waits that double with each failure in a row, and differ by chance, so that not all come at once. */
export type Backoff = {
  /** Milliseconds until the next try of this name, which has failed once more. */
  next(name: string): number
  forget(name: string): void
}

const firstMs = 5_000
const longestMs = 3_600_000

export function openBackoff(random: () => number = Math.random): Backoff {
  const failures = new Map<string, number>()
  return {
    next(name) {
      const failed = failures.get(name) ?? 0
      failures.set(name, failed + 1)
      const ms = Math.min(longestMs, firstMs * 2 ** Math.min(failed, 20))
      // From half to all of it.
      return Math.round(ms * (0.5 + random() / 2))
    },
    forget: (name) => void failures.delete(name),
  }
}
