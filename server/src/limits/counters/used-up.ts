import { LruMap } from 'toad-cache'
import type { Clock } from '../../values/clock.ts'
import type { Window } from './counter.ts'
import type { Counting, Store } from './counters.ts'

/**
 * Exhausted windows, so that further requests are refused without a round trip. Trusted for a
 * second: another process may have given something back, or the store may have been emptied.
 */
export type ExhaustedWindows = {
  find(key: string): Window | undefined
  remember(key: string, window: Window & { store: Store }): void
  forget(key: string): void
}

const trustedMs = 1_000
const maxEntries = 10_000

type Remembered = { store: Store; used: number; endsAt: number; until: number }

export function exhaustedWindows(
  counting: Pick<Counting, 'store'>,
  clock: Clock,
): ExhaustedWindows {
  const windows = new LruMap<Remembered>(maxEntries)
  return {
    find(key) {
      const window = windows.get(key)
      if (!window) return undefined
      const now = clock.ticksMs()
      // Counts start at zero in another store.
      if (now < window.until && window.store === counting.store()) {
        return { used: window.used, msLeft: window.endsAt - now }
      }
      windows.delete(key)
      return undefined
    },
    remember(key, { store, used, msLeft }) {
      // During a change of stores it is unknown which one answered.
      if (store === 'memory' || store !== counting.store()) return
      const now = clock.ticksMs()
      const endsAt = now + msLeft
      windows.set(key, { store, used, endsAt, until: Math.min(endsAt, now + trustedMs) })
    },
    forget: (key) => windows.delete(key),
  }
}
