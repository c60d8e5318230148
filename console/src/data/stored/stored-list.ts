import { useSyncExternalStore } from 'react'

/** A kind of list that this browser keeps, each under a key; all tabs have the same. */
export type StoredList<Of> = {
  /** The same array until something changes. */
  read(key: string): readonly Of[]
  write(key: string, entries: readonly Of[]): void
  useEntries(key: string): readonly Of[]
}

/** Entries that are none, of an earlier version or of other programs, are left out. */
export function storedList<Of>(isEntry: (entry: unknown) => entry is Of): StoredList<Of> {
  const listeners = new Set<() => void>()
  const known = new Map<string, { text: string; entries: readonly Of[] }>()
  const read = (key: string): readonly Of[] => {
    const text = localStorage.getItem(key) ?? '[]'
    const before = known.get(key)
    if (before?.text === text) return before.entries
    const entries = entriesIn(text).filter(isEntry)
    known.set(key, { text, entries })
    return entries
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    // Another tab of the same browser.
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }
  return {
    read,
    write: (key, entries) => {
      if (entries.length === 0) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(entries))
      for (const listener of listeners) listener()
    },
    useEntries: (key) => useSyncExternalStore(subscribe, () => read(key)),
  }
}

function entriesIn(text: string): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}
