import type { KeyboardEvent } from 'react'
import { preferences } from '../../../data/stored/preferences.ts'
import type { Cursor } from './cursor.ts'

/** Acts that keys do in the grid, beside moving in it. */
export type GridActs = {
  select: (row: number) => void
  extend: (from: number, to: number) => void
  selectAll: () => void
  /** From the selection, then from the grid. */
  leave: () => void
  peek: (row: number) => void
  open: (row: number) => void
  edit: (row: number, column: string) => void
  run: (row: number) => void
  budget: (row: number) => void
  resize: (column: string, by: number) => void
}

type Keys = Readonly<Record<string, () => void>>

const resizeStep = 16
const sequenceMs = 900
let lastG = Number.NEGATIVE_INFINITY

/** Does what the key means here; other keys are left to the window. */
export function onGridKey(event: KeyboardEvent, cursor: Cursor, acts: GridActs): void {
  if (event.defaultPrevented || event.altKey) return
  const name = nameOf(event)
  const isSequence = event.timeStamp - lastG < sequenceMs
  lastG = name === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
  const run = controlKeys(event, name) ? undefined : keysOf(cursor, acts, isSequence)[name]
  if (!run) return
  event.preventDefault()
  run()
}

const nameOf = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string => {
  const name = key.length === 1 ? key.toLowerCase() : key
  return `${ctrlKey || metaKey ? 'mod+' : ''}${shiftKey ? 'shift+' : ''}${name}`
}

/** Enter and Space belong to the control that has the focus, but Space on a link is nothing. */
function controlKeys({ target }: KeyboardEvent, name: string): boolean {
  if (!(target instanceof Element)) return false
  if (target.matches('button, input')) return name === 'Enter' || name === ' '
  return target.matches('a') && (name === 'Enter' || name === 'mod+Enter')
}

const keysOf = (cursor: Cursor, acts: GridActs, isSequence: boolean): Keys => ({
  ...moves(cursor),
  ...(cursor.row >= 0 ? ofRow(cursor, acts) : ofHead(cursor, acts)),
  ...(preferences().singleKeys === 'on' && !isSequence ? singles(cursor, acts) : {}),
  'mod+a': acts.selectAll,
  Escape: acts.leave,
})

function moves({ row, column, lastRow, lastColumn, rowsInSight, moveTo }: Cursor): Keys {
  return {
    ArrowDown: () => moveTo(row + 1, column),
    ArrowUp: () => moveTo(row - 1, column),
    ArrowRight: () => moveTo(row, column + 1),
    ArrowLeft: () => moveTo(row, column - 1),
    Home: () => moveTo(row, 0),
    End: () => moveTo(row, lastColumn),
    'mod+Home': () => moveTo(0, column),
    'mod+End': () => moveTo(lastRow, column),
    PageDown: () => moveTo(row + rowsInSight(), column),
    PageUp: () => moveTo(Math.max(0, row - rowsInSight()), column),
  }
}

function ofRow(cursor: Cursor, acts: GridActs): Keys {
  const { row, column, columnId, lastRow, rowsInSight, moveTo } = cursor
  const extend = (wanted: number) => {
    const to = Math.max(0, Math.min(wanted, lastRow))
    acts.extend(row, to)
    moveTo(to, column)
  }
  return {
    'shift+ArrowDown': () => extend(row + 1),
    'shift+ArrowUp': () => extend(row - 1),
    'shift+PageDown': () => extend(row + rowsInSight()),
    'shift+PageUp': () => extend(row - rowsInSight()),
    'mod+shift+Home': () => extend(0),
    'mod+shift+End': () => extend(lastRow),
    'shift+ ': () => acts.select(row),
    ' ': () => acts.peek(row),
    Enter: () => acts.open(row),
    F2: () => acts.edit(row, columnId),
  }
}

const ofHead = ({ columnId }: Cursor, acts: GridActs): Keys => ({
  'shift+ArrowRight': () => acts.resize(columnId, resizeStep),
  'shift+ArrowLeft': () => acts.resize(columnId, -resizeStep),
})

function singles({ row, column, columnId, moveTo }: Cursor, acts: GridActs): Keys {
  const moving = { j: () => moveTo(row + 1, column), k: () => moveTo(row - 1, column) }
  if (row < 0) return moving
  return {
    ...moving,
    x: () => acts.select(row),
    e: () => acts.edit(row, columnId),
    p: () => acts.run(row),
    b: () => acts.budget(row),
  }
}
