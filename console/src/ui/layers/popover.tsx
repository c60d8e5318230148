import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { controlsIn } from './controls.ts'
import { placeAt } from './place.ts'
import styles from './popover.module.css'

type Trigger = { popoverTarget?: string; id?: string }
type PopoverProps = {
  trigger: ReactElement<Trigger>
  /** The purpose of the popover. */
  label: string
  align?: 'start' | 'end'
  /** Drawn only while it is open; it may be loaded then. */
  children: () => ReactNode
}

/** A button that opens a small panel of controls. The platform closes it and gives the focus back. */
export function Popover({ trigger, label, align = 'start', children }: PopoverProps) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const triggerId = `${id}-trigger`
  // Also when what is in it comes later, or grows.
  useEffect(() => {
    const anchor = document.getElementById(triggerId)
    const element = panel.current
    if (!isOpen || !anchor || !element) return undefined
    const observer = new ResizeObserver(() => {
      placeAt(element, anchor, align)
      if (element.contains(document.activeElement)) return
      controlsIn(element)[0]?.focus()
    })
    observer.observe(element)
    // The keyboard alone: the platform sees to presses, and one of the button comes before its click.
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || element.contains(target)) return
      if (target.matches(':focus-visible')) element.hidePopover()
    }
    document.addEventListener('focusin', onFocus)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', onFocus)
    }
  }, [isOpen, triggerId, align])
  return (
    <>
      {cloneElement(trigger, { id: triggerId, popoverTarget: id })}
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={label}
        popover="auto"
        className={styles.popover}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Not before: what has the focus must be there for the platform to give it back.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        <Suspense>{isOpen && children()}</Suspense>
      </div>
    </>
  )
}
