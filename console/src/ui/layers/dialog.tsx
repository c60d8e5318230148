import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import styles from './dialog.module.css'

type DialogProps = {
  title: string
  /** A drawer stands at the side and leaves the list in sight. */
  kind?: 'dialog' | 'drawer'
  wide?: boolean
  /** Only its own buttons close it: no key or click beside it by accident. */
  firm?: boolean
  onClose: () => void
  children: ReactNode
  /** Stays in sight below what scrolls. */
  footer?: ReactNode
}

const firstField = ':is(input, select, textarea):not([disabled], [readonly], [type=checkbox])'

/** Mounted means open: the platform keeps the focus inside and gives it back. */
export function Dialog({
  title,
  kind = 'dialog',
  wide,
  firm,
  onClose,
  children,
  footer,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => (element.current ? opened(element.current) : undefined), [])
  return (
    <dialog
      ref={element}
      className={classes(styles.dialog, kind === 'drawer' && styles.drawer, wide && styles.wide)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!firm) onClose()
      }}
      onClose={({ currentTarget: dialog }) => {
        // The browser closes a dialog at the second Escape in a row, whatever is said to the first.
        if (dialog.open) return
        if (firm) dialog.showModal()
        else onClose()
      }}
      onPointerDown={(event) => {
        // The backdrop belongs to the dialog.
        if (!firm && event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.frame}>
        <header className={styles.head}>
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {!firm && (
            <IconButton name="Close" icon={<IconX aria-hidden />} onClick={onClose} small />
          )}
        </header>
        <div className={styles.content}>{children}</div>
        {footer && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  )
}

/** Opens it at its first field; answers how to close it. */
function opened(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal()
  // Else the platform would begin with the button that closes it.
  const title = dialog.querySelector('h2')
  const first = dialog.querySelector<HTMLElement>(firstField) ?? title
  first?.focus()
  const content = first?.closest(`.${styles.content}`)
  if (content && content.scrollTop > 0) {
    // The text above the first field is read before it.
    content.scrollTop = 0
    title?.focus()
  }
  // The platform gives the focus back only while the dialog is still in the page.
  return () => dialog.close()
}
