import type { Virtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { GridColumn } from './columns/column.ts'

type Place = { row: number; column: number }

type CursorOptions = {
  active: Place
  setActive: (change: (before: Place) => Place) => void
  element: RefObject<HTMLDivElement | null>
  columns: readonly GridColumn[]
  count: number
  virtualizer: Virtualizer<HTMLDivElement, Element>
}

export type Cursor = ReturnType<typeof useCursor>

/** The one cell that has the grid's place in the order of Tab, and how it is moved. */
export function useCursor(options: CursorOptions) {
  const { active, setActive, element, columns, count, virtualizer } = options
  const lastColumn = columns.length - 1
  const place = {
    row: Math.min(active.row, count - 1),
    column: Math.min(active.column, lastColumn),
  }
  const { isInside, isWanted, focus } = useCellFocus(element, place)
  const moveTo = (row: number, column: number) => {
    const next = {
      row: Math.max(-1, Math.min(row, count - 1)),
      column: Math.max(0, Math.min(column, lastColumn)),
    }
    isWanted.current = true
    if (next.row >= 0) virtualizer.scrollToIndex(next.row, { align: 'auto' })
    setActive(() => next)
  }
  return {
    ...place,
    columnId: columns[place.column]?.id ?? '',
    lastColumn,
    lastRow: count - 1,
    rowsInSight: () => rowsInSight(virtualizer),
    moveTo,
    focus,
    /** The focus came by the mouse or by Tab. */
    follow: ({ target }: FocusEvent) => {
      isInside.current = true
      const next = placeOf(target)
      if (!next) return
      setActive((before) =>
        before.row === next.row && before.column === next.column ? before : next,
      )
    },
    /** React reports no blur of a cell that it removes. */
    leave: () => {
      isInside.current = false
    },
  }
}

/** Gives the cell the focus once it is drawn, and again where it is drawn anew. */
function useCellFocus(element: CursorOptions['element'], place: Place) {
  const isInside = useRef(false)
  const isWanted = useRef(false)
  const focus = () => {
    const cell = cellAt(element.current, place)
    if (!cell) return
    isWanted.current = false
    cell.focus({ preventScroll: true })
    cell.closest('[data-column]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  // Before the next key. A row that is read or comes into sight is drawn again, without the focus.
  useLayoutEffect(() => {
    if (isWanted.current || (isInside.current && document.activeElement === document.body)) focus()
  })
  return { isInside, isWanted, focus }
}

function rowsInSight({ range }: CursorOptions['virtualizer']): number {
  const { startIndex = 0, endIndex = 0 } = range ?? {}
  return Math.max(1, endIndex - startIndex - 1)
}

function placeOf(target: Element): Place | null {
  const column = Number(target.closest('[aria-colindex]')?.ariaColIndex) - 1
  const row = Number(target.closest('[aria-rowindex]')?.ariaRowIndex) - 2
  return column >= 0 ? { row, column } : null
}

/** The control in the cell where it has one that takes the focus, else the cell. */
function cellAt(grid: HTMLElement | null, { row, column }: Place): HTMLElement | null {
  const cell = grid?.querySelector<HTMLElement>(
    `[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 1}"]`,
  )
  return cell ? focusableIn(cell) : null
}

const focusableIn = (cell: HTMLElement): HTMLElement | null =>
  cell.hasAttribute('tabindex') ? cell : cell.querySelector<HTMLElement>('[tabindex]')

/** A press beside the control of a cell gives it the focus too; with Shift no text is selected. */
export function onPress(event: MouseEvent): void {
  const { target, shiftKey } = event
  if (!(target instanceof Element)) return
  const cell = target.closest<HTMLElement>('[role=gridcell]')
  if (!cell || (!shiftKey && cell.contains(target.closest('[tabindex]')))) return
  event.preventDefault()
  focusableIn(cell)?.focus({ preventScroll: true })
}
