import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import {
  days,
  type Quarters,
  quartersADay,
  quartersOf,
  type Window,
  windowsOf,
} from '../../data/values/week.ts'

export type Cell = { day: number; column: number }
type Stroke = { from: Cell; to: Cell; isOpen: boolean }

type PaintingOptions = {
  windows: readonly Window[]
  /** Left out: only shown. */
  onChange: ((windows: Window[]) => void) | undefined
  /** Quarter hours in a cell. */
  step: number
}

/** Painting a week: a mouse draws rectangles, a finger taps, arrows move, Space and Shift paint. */
export function usePainting({ windows, onChange, step }: PaintingOptions) {
  const [at, setAt] = useState<Cell>({ day: 0, column: 0 })
  const [stroke, setStroke] = useState<Stroke | null>(null)
  const pointer = useRef('')
  const stored = quartersOf(windows)
  const quarters = stroke ? painted(stored, stroke, step) : stored
  const paint = (next: Stroke) => onChange?.(windowsOf(painted(stored, next, step)))
  const toggle = (cell: Cell) =>
    paint({ from: cell, to: cell, isOpen: !isOpenAt(stored, cell, step) })
  const finish = () => {
    if (stroke) paint(stroke)
    setStroke(null)
  }
  const onPointerDown = (event: PointerEvent) => {
    pointer.current = event.pointerType
    const cell = cellAt(event.target)
    if (!cell || !onChange || event.button !== 0) return
    setAt(cell)
    // A finger scrolls the page: it paints by taps.
    if (event.pointerType === 'touch') return
    setStroke({ from: cell, to: cell, isOpen: !isOpenAt(stored, cell, step) })
  }
  const onPointerMove = ({ target }: PointerEvent) => {
    const cell = stroke && cellAt(target)
    if (stroke && cell) setStroke({ ...stroke, to: cell })
  }
  const onClick = (event: { target: EventTarget }) => {
    const cell = cellAt(event.target)
    if (cell && pointer.current === 'touch') toggle(cell)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const here = cellAt(event.target)
    const isPress = event.key === ' ' || event.key === 'Enter'
    const next = here && cellAfter(event.key, here, quartersADay / step)
    if (!here || (!isPress && !next)) return
    event.preventDefault()
    if (isPress) toggle(here)
    if (!next) return
    if (event.shiftKey) paint({ from: here, to: next, isOpen: isOpenAt(stored, here, step) })
    setAt(next)
    cellElement(event.currentTarget, next)?.focus()
  }
  const ends = { onPointerUp: finish, onPointerLeave: finish }
  return {
    at,
    quarters,
    paint,
    handlers: { onPointerDown, onPointerMove, ...ends, onClick, onKeyDown },
  }
}

/** The rectangle between two cells is opened or closed. */
function painted(quarters: Quarters, { from, to, isOpen }: Stroke, step: number): Quarters {
  const next = [...quarters]
  const [top, bottom] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
  const [first, last] = [Math.min(from.column, to.column), Math.max(from.column, to.column)]
  for (let day = top; day <= bottom; day += 1) {
    const start = day * quartersADay
    next.fill(isOpen, start + first * step, start + (last + 1) * step)
  }
  return next
}

/** How many of a cell's quarter hours are open. */
export function openIn(quarters: Quarters, { day, column }: Cell, step: number): number {
  const start = day * quartersADay + column * step
  return quarters.slice(start, start + step).filter(Boolean).length
}

export const isOpenAt = (quarters: Quarters, cell: Cell, step: number): boolean =>
  openIn(quarters, cell, step) === step

function cellAfter(key: string, { day, column }: Cell, columns: number): Cell | null {
  const last = columns - 1
  if (key === 'ArrowLeft') return { day, column: Math.max(0, column - 1) }
  if (key === 'ArrowRight') return { day, column: Math.min(last, column + 1) }
  if (key === 'ArrowUp') return { day: Math.max(0, day - 1), column }
  if (key === 'ArrowDown') return { day: Math.min(days.length - 1, day + 1), column }
  if (key === 'Home') return { day, column: 0 }
  return key === 'End' ? { day, column: last } : null
}

export const cellName = ({ day, column }: Cell): string => `${day}:${column}`

function cellAt(target: EventTarget): Cell | null {
  const name = target instanceof HTMLElement ? target.dataset.cell : undefined
  const [day, column] = name?.split(':').map(Number) ?? []
  return day === undefined || column === undefined ? null : { day, column }
}

const cellElement = (grid: HTMLElement, cell: Cell) =>
  grid.querySelector<HTMLElement>(`[data-cell="${cellName(cell)}"]`)
