import { useSyncExternalStore } from 'react'
import { type Search, stringifySearch } from '../../../../data/search.ts'

/** A named state of the grid, as the text of its address. */
export type SavedView = { name: string; search: string }

const viewsKeyOf = (organizationId: string) => `flightdeck views ${organizationId}`
const listeners = new Set<() => void>()
const mostViews = 100

/** The view in an address, without panels that are open for a moment. */
export const viewOf = ({ open: _, peek: __, ...search }: Search): string => stringifySearch(search)

let cached: { text: string; views: readonly SavedView[] } = { text: '', views: [] }

function read(key: string): readonly SavedView[] {
  const text = localStorage.getItem(key) ?? '[]'
  if (text === cached.text) return cached.views
  cached = { text, views: parse(text) }
  return cached.views
}

function parse(text: string): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(text)
    return Array.isArray(views) ? views.filter(isView) : []
  } catch {
    return []
  }
}

const isView = (view: unknown): view is SavedView =>
  typeof view === 'object' &&
  view !== null &&
  'name' in view &&
  'search' in view &&
  typeof view.name === 'string' &&
  typeof view.search === 'string'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Other tabs save views too.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The views that were saved in this browser for the organization, and the way to change them. */
export function useSavedViews(organizationId: string) {
  const key = viewsKeyOf(organizationId)
  const views = useSyncExternalStore(subscribe, () => read(key))
  const write = (next: readonly SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(next.slice(-mostViews)))
    for (const listener of listeners) listener()
  }
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) =>
      write([...without(view.name), view].sort((a, b) => a.name.localeCompare(b.name))),
    remove: (name: string) => write(without(name)),
  }
}
