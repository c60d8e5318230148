import { useEffect, useRef } from 'react'
import { preferences } from '../data/stored/preferences.ts'

/** `mod+k`, `g c` (one after the other), `?`. */
export type Shortcuts = Readonly<Record<string, () => void>>

const sequenceMs = 900
const firstOfPairs = 'g'

/** Keys for the whole window. Plain keys do nothing while one types. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    let before = ''
    let at = 0
    const onKey = (event: KeyboardEvent) => {
      const name = nameOf(event)
      const isPlain = !name.startsWith('mod+')
      if (isPlain && (isTyping(event) || areKeysOff())) return
      // A second key belongs to the set of keys that had the first.
      const isSecond = before === firstOfPairs && event.timeStamp - at < sequenceMs
      const run = latest.current[isSecond && isPlain ? `${before} ${name}` : name]
      before = name
      at = event.timeStamp
      if (!run || event.defaultPrevented) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Plain keys do nothing behind a dialog, and nothing at all where they are turned off. */
const areKeysOff = (): boolean =>
  preferences().singleKeys === 'off' || document.querySelector('dialog[open]') !== null

const nameOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string => {
  if (altKey) return ''
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
