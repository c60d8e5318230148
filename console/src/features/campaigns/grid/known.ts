import { useMemo, useSyncExternalStore } from 'react'
import type { GridRow } from './columns/column.ts'

/**
 * Changes of campaigns since their rows were read: from events, from answers to own changes, from
 * reading them again. They lie over the rows, so a page that was requested earlier takes nothing
 * back.
 */
type Known = ReadonlyMap<string, Patch>
type Patch = { row: Partial<GridRow>; at: number }

const none: Known = new Map()
let known = none
const listeners = new Set<() => void>()

function set(next: Known): void {
  known = next
  for (const listener of listeners) listener()
}

export function learn(rows: Iterable<Partial<GridRow> & { id: string }>): void {
  const next = new Map(known)
  const at = performance.now()
  for (const row of rows) {
    const before = known.get(row.id)?.row
    if ((before?.version ?? 0) <= (row.version ?? Number.POSITIVE_INFINITY))
      next.set(row.id, { row: { ...before, ...row }, at })
  }
  set(next)
}

/** Rows read from now on are newer than what was known before. */
export function forgetBefore(at: number): void {
  set(new Map([...known].filter(([, patch]) => patch.at >= at)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const merged = new WeakMap<GridRow, { patch: Patch; row: GridRow }>()

/** The same object as long as nothing changes, so that the row is not drawn again. */
function mergedOf(row: GridRow, patch: Patch | undefined): GridRow {
  if (!patch || (patch.row.version ?? row.version) < row.version) return row
  const before = merged.get(row)
  if (before?.patch === patch) return before.row
  const next = { ...row, ...patch.row }
  merged.set(row, { patch, row: next })
  return next
}

export function useKnownRows(rows: readonly GridRow[]): readonly GridRow[] {
  const present = useSyncExternalStore(subscribe, () => known)
  return useMemo(
    () => (present.size === 0 ? rows : rows.map((row) => mergedOf(row, present.get(row.id)))),
    [rows, present],
  )
}
