import { controlsIn, placeIn } from '../ui/layers/controls.ts'

/**
 * When what has the focus is removed, browsers drop it: the keyboard would begin at the top
 * of the page. It goes on to what stands beside it, else to the title. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  const end = new AbortController()
  let last: HTMLElement | null = null
  const on = (type: 'focusin' | 'focusout', listener: (event: FocusEvent) => void) =>
    document.addEventListener(type, listener, { signal: end.signal })
  on('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : null
  })
  on('focusout', ({ target }) => {
    // Someone left it, unless it goes away in this moment.
    queueMicrotask(() => {
      if (last === target && last?.isConnected && isLost()) last = null
    })
  })
  const observer = new MutationObserver((changes) => {
    if (!last || last.isConnected || !isLost()) return
    const gone = last
    last = null
    const change = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(gone)),
    )
    // A grid sees to the focus itself: its rows also go by being out of sight.
    if (!change || isIn('[role=grid]', change)) return
    // Not before others have given it back.
    requestAnimationFrame(() => {
      if (!isLost()) return
      const beside = besideOf(gone, change)
      if (beside) beside.focus()
      // It may be far above what they read.
      else titleNow()?.focus({ preventScroll: true })
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  end.signal.addEventListener('abort', () => observer.disconnect())
  return () => end.abort()
}

const isLost = () => document.activeElement === document.body

const isIn = (selector: string, { target }: MutationRecord): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** The same control of a part of its kind, else the nearest one; none where a whole screen went. */
function besideOf(gone: HTMLElement, change: MutationRecord): HTMLElement | undefined {
  const removed = [...change.removedNodes].find((node) => node.contains(gone))
  const isPart = isIn('main *, dialog, [popover]', change)
  if (!(removed instanceof HTMLElement) || removed.matches('dialog') || !isPart) return undefined
  const { place, count } = placeIn(removed, gone)
  const nearest = (siblings: Iterable<HTMLElement>, end: 0 | -1) => {
    for (const sibling of siblings) {
      const next = controlsIn(sibling)
      if (next.length > 0) return next.at(next.length === count ? place : end)
    }
    return undefined
  }
  return nearest(after(change), 0) ?? nearest(before(change), -1)
}

function* after({ nextSibling }: MutationRecord) {
  for (let node = nextSibling; node; node = node.nextSibling)
    if (node instanceof HTMLElement && node.isConnected) yield node
}

function* before({ previousSibling }: MutationRecord) {
  for (let node = previousSibling; node; node = node.previousSibling)
    if (node instanceof HTMLElement && node.isConnected) yield node
}

/** The title of the dialog that is open, else of the screen. */
const titleNow = () =>
  [...document.querySelectorAll<HTMLElement>('dialog[open] h2')].at(-1) ??
  document.querySelector<HTMLElement>('main h1')
