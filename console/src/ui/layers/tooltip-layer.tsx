import { useEffect, useId, useRef } from 'react'
import { placeAt } from './place.ts'
import styles from './tooltip.module.css'

const delayMs = 400

/** The one tooltip of the page. It stands above dialogs, and Escape hides it (WCAG 1.4.13). */
export default function TooltipLayer() {
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => element.current?.ownerDocument && follow(element.current, id), [id])
  return <div ref={element} id={id} role="tooltip" popover="manual" className={styles.tooltip} />
}

const described = '[data-tooltip]'

/** Shows it at what has the pointer or the focus; answers how to stop. */
function follow(tooltip: HTMLElement, id: string): () => void {
  const { ownerDocument: page } = tooltip
  const end = new AbortController()
  let target: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const hide = () => {
    clearTimeout(timer)
    if (target?.getAttribute('aria-describedby') === id) target.removeAttribute('aria-describedby')
    target = null
    tooltip.hidePopover()
  }
  const show = (next: HTMLElement) => {
    hide()
    if (next.dataset.tooltip && next.isConnected) target = shownAt(tooltip, next)
  }
  const on = (type: string, listener: (event: Event) => void) =>
    page.addEventListener(type, listener, { signal: end.signal, capture: true })

  on('pointerover', ({ target: over }) => {
    const next = over instanceof Element ? over.closest<HTMLElement>(described) : null
    if (next === target) return
    hide()
    if (next) timer = setTimeout(() => show(next), delayMs)
  })
  on('focusin', ({ target: focused }) => {
    if (!(focused instanceof HTMLElement) || !focused.matches(':focus-visible')) return
    const next =
      focused.closest<HTMLElement>(described) ?? focused.querySelector<HTMLElement>(described)
    hide()
    // A popover that opens or closes moves the focus, and no other may open until then.
    if (next) timer = setTimeout(() => show(next))
  })
  on('focusout', hide)
  on('pointerdown', hide)
  on('scroll', hide)
  on('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') hide()
  })
  return () => {
    end.abort()
    hide()
  }
}

function shownAt(tooltip: HTMLElement, target: HTMLElement): HTMLElement {
  const text = target.dataset.tooltip ?? ''
  tooltip.textContent = text
  const isNamed = target.ariaLabel === text || target.hasAttribute('aria-describedby')
  if (!isNamed) target.setAttribute('aria-describedby', tooltip.id)
  tooltip.showPopover()
  placeAt(tooltip, target, 'center')
  return target
}
