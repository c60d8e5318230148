import { useSyncExternalStore } from 'react'

/** Choices of a person, kept in this browser. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'comfortable'
  /** Single keys act only where a grid has the focus; they can be turned off (WCAG 2.1.4). */
  singleKeys: 'on' | 'off'
}

const key = 'flightdeck preferences'
const defaults: Preferences = { theme: 'system', density: 'compact', singleKeys: 'on' }
const listeners = new Set<() => void>()
let present = { ...defaults, ...stored() }

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

/** Before the first paint, so that it does not flash. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement
  if (present.theme === 'system') delete dataset.theme
  else dataset.theme = present.theme
  dataset.density = present.density
}

export function setPreferences(changes: Partial<Preferences>): void {
  present = { ...present, ...changes }
  localStorage.setItem(key, JSON.stringify(present))
  applyPreferences()
  for (const listener of listeners) listener()
}

export const preferences = (): Preferences => present

export const usePreferences = (): Preferences =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => present,
  )
