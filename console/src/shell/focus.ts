import { controlsIn, placeIn } from '../ui/controls.ts'

/**
 * When what has the focus is removed, browsers drop it: the keyboard would begin the page anew. It
 * goes on to what stands beside it, else to the title. Answers how to stop.
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
      if (isLost()) (besideOf(gone, change) ?? titleNow())?.focus()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  end.signal.addEventListener('abort', () => observer.disconnect())
  return () => end.abort()
}

const isLost = () => document.activeElement === document.body

const isIn = (selector: string, { target }: MutationRecord): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** The same control of the next part, or of the one before; none where a whole screen went. */
function besideOf(gone: HTMLElement, change: MutationRecord): HTMLElement | undefined {
  const removed = [...change.removedNodes].find((node) => node.contains(gone))
  const isPart = isIn('main *, dialog', change)
  if (!(removed instanceof HTMLElement) || removed.matches('dialog') || !isPart) return undefined
  const place = placeIn(removed, gone)
  for (const sibling of [...after(change), ...before(change)]) {
    const next = controlsIn(sibling)
    if (next.length > 0) return next[Math.min(place, next.length - 1)]
  }
  return undefined
}

function* after({ nextSibling }: MutationRecord) {
  for (let node = nextSibling; node; node = node.nextSibling)
    if (node instanceof HTMLElement && node.isConnected) yield node
}

function* before({ previousSibling }: MutationRecord) {
  for (let node = previousSibling; node; node = node.previousSibling)
    if (node instanceof HTMLElement && node.isConnected) yield node
}

/** Of the dialog that is open, else of the screen. */
const titleNow = () =>
  [...document.querySelectorAll<HTMLElement>('dialog[open] h2')].at(-1) ??
  document.querySelector<HTMLElement>('main h1')
