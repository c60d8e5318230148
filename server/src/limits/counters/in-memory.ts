import type { CounterStore, KeyedWindow, Window } from './counter.ts'

/**
 * Logging in with unknown names opens windows, and some last for a day: beyond this the oldest is
 * dropped.
 */
export const maxWindows = 50_000

type OpenWindow = { used: number; readonly endsAtMs: number }

/** Counts in this process: exact and free where it is the only one. */
export function countsInMemory(): CounterStore {
  /** In the order in which they opened. */
  const windows = new Map<string, OpenWindow>()

  function find(key: string): OpenWindow | undefined {
    const window = windows.get(key)
    return window && window.endsAtMs > Date.now() ? window : undefined
  }

  function open({ key, seconds }: KeyedWindow, used: number): Window {
    windows.delete(key)
    windows.set(key, { used, endsAtMs: Date.now() + seconds * 1000 })
    evict()
    return { used, msLeft: seconds * 1000 }
  }

  /** From the oldest on, up to the first that is still open. */
  function evict(): void {
    for (const [key, { endsAtMs }] of windows) {
      if (endsAtMs > Date.now() && windows.size <= maxWindows) return
      windows.delete(key)
    }
  }

  return {
    async take({ key, cost, seconds, limit }) {
      const window = find(key)
      const used = (window?.used ?? 0) + cost
      if (!window && used <= limit) return open({ key, seconds }, used)
      if (window && used <= limit) window.used = used
      return { used, msLeft: msLeftOf(window, seconds) }
    },
    async giveBack({ key, cost, seconds }) {
      const window = find(key)
      if (window) window.used = Math.max(0, window.used - cost)
      return { used: window?.used ?? 0, msLeft: msLeftOf(window, seconds) }
    },
    async look({ key, seconds }) {
      const window = find(key)
      return { used: window?.used ?? 0, msLeft: msLeftOf(window, seconds) }
    },
    async forget(key) {
      windows.delete(key)
    },
  }
}

const msLeftOf = (window: OpenWindow | undefined, seconds: number): number =>
  window ? window.endsAtMs - Date.now() : seconds * 1000
