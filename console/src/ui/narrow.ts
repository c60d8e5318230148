import { useSyncExternalStore } from 'react'

/** As in the styles. */
const narrow = matchMedia('(width < 720px)')

const subscribe = (notify: () => void) => {
  narrow.addEventListener('change', notify)
  return () => narrow.removeEventListener('change', notify)
}

/** Whether the window is as narrow as a telephone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
