import { LruMap } from 'toad-cache'
import type { Clock } from '../../values/clock.ts'
import type { Window } from './counter.ts'
import type { Counting, Store } from './counters.ts'

/**
 * Windows that were found used up, so that whoever asks too much is refused without a trip. Believed
 * for a second: another process may have given something back, or somebody emptied the store.
 */
export type ExhaustedWindows = {
  find(key: string): Window | undefined
  remember(key: string, told: Window & { store: Store }): void
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
      // Another store knows nothing of it: there the count begins anew.
      if (now < window.until && window.store === counting.store()) {
        return { used: window.used, msLeft: window.endsAt - now }
      }
      windows.delete(key)
      return undefined
    },
    remember(key, { store, used, msLeft }) {
      // Asked on the way from one store to another, it is unknown whose answer it was.
      if (store === 'memory' || store !== counting.store()) return
      const now = clock.ticksMs()
      const endsAt = now + msLeft
      windows.set(key, { store, used, endsAt, until: Math.min(endsAt, now + trustedMs) })
    },
    forget: (key) => windows.delete(key),
  }
}
