import { useEffect } from 'react'
import { useShortcuts } from '../../../../ui/shortcuts.ts'
import type { Grid } from '../use-grid.ts'

/**
 * The way of the keyboard into the grid: to its last cell, to the first row, or to select a row.
 */
export type Entry = 'here' | 'first' | 'select' | null

export type Entering = { entry: Entry; onEntry: (entry: Entry) => void }

/** Keys of the window lead into the grid; where its rows are not there yet, once they are. */
export function useEntry({ rows, selection, handle }: Grid, { entry, onEntry }: Entering): void {
  useShortcuts({
    j: () => onEntry('here'),
    k: () => onEntry('here'),
    x: () => onEntry('select'),
  })
  const isEmpty = rows.rows.length === 0
  const isReading = rows.isPending || rows.isPlaceholderData
  useEffect(() => {
    if (entry === null || (isEmpty && isReading)) return
    onEntry(null)
    if (isEmpty) return
    const { current: grid } = handle
    if (entry === 'first') return grid.goTo(0)
    const row = Math.max(0, grid.row())
    grid.goTo(row)
    if (entry === 'select') selection.toggle(row)
  }, [entry, isEmpty, isReading, handle, onEntry, selection.toggle])
}

export const toSearch = () => document.querySelector<HTMLElement>('[data-search-box]')?.focus()
