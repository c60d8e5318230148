import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
} from 'react'
import { classes } from '../classes.ts'
import styles from './menu.module.css'
import { placeAt } from './place.ts'

export type MenuItem =
  | {
      /** Set where others may have the same name. */
      id?: string
      name: string
      run: () => void
      icon?: ReactNode
      danger?: boolean
      /** The reason why it cannot be chosen now, shown below the name. */
      blocked?: string | null
      keys?: string
      /** For an item that is one of several choices, or a switch. */
      checked?: boolean
    }
  | 'line'

type Trigger = { popoverTarget?: string; 'aria-haspopup'?: 'menu'; id?: string }
type MenuProps = { trigger: ReactElement<Trigger>; items: readonly MenuItem[] }

/** A button that opens a menu of actions. The platform closes it and gives the focus back. */
export function Menu({ trigger, items }: MenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const triggerId = `${id}-trigger`
  const onOpen = () => {
    const anchor = document.getElementById(triggerId)
    if (!menu.current || !anchor) return
    placeAt(menu.current, anchor, 'end')
    itemsOf(menu.current)[0]?.focus()
  }
  return (
    <>
      {cloneElement(trigger, { id: triggerId, popoverTarget: id, 'aria-haspopup': 'menu' })}
      <div
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-labelledby={triggerId}
        popover="auto"
        className={styles.menu}
        onToggle={({ newState }) => newState === 'open' && onOpen()}
        onKeyDown={moveByKeys}
      >
        {items.map((item, at) =>
          item === 'line' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name, and stay in place.
            <hr key={at} className={styles.line} />
          ) : (
            <Item
              key={item.id ?? item.name}
              item={item}
              close={() => menu.current?.hidePopover()}
            />
          ),
        )}
      </div>
    </>
  )
}

type ItemProps = { item: Exclude<MenuItem, 'line'>; close: () => void }

function Item({ item, close }: ItemProps) {
  const { name, run, icon, danger, blocked, keys, checked } = item
  const choose = () => {
    if (blocked) return
    close()
    run()
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a checkbox has the state.
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-disabled={blocked ? true : undefined}
      tabIndex={-1}
      className={classes(styles.item, danger && styles.danger)}
      onClick={choose}
      onPointerEnter={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
    >
      {checked !== undefined && <span aria-hidden>{checked ? '✓' : ' '}</span>}
      {icon}
      <span className={styles.name}>
        {name}
        {blocked && <span className={styles.why}>{blocked}</span>}
      </span>
      {keys && <kbd className={styles.keys}>{keys}</kbd>}
    </button>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

/** Arrows, Home and End; a letter goes to the next item that begins with it. */
function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: menu, key } = event
  const items = itemsOf(menu)
  const at = items.findIndex((item) => item.matches(':focus'))
  const next = nextItem(items, at, key)
  if (next) {
    event.preventDefault()
    next.focus()
  }
  if (key === 'Tab') menu.hidePopover()
}

function nextItem(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const turned = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return turned.find((item) => item.innerText.toLowerCase().startsWith(key.toLowerCase()))
}
