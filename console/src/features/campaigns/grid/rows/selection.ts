import { useEffect, useMemo, useRef, useState } from 'react'
import type { GridRow } from '../columns/columns.tsx'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

/** A range of rows, which can shrink again, and what was chosen before it. */
type Range = { from: number; id: string | undefined; to: number; before: ReadonlySet<string> }

/** The chosen rows. They stay chosen in another list, which says how many of them it does not show. */
export function useSelection(rows: readonly GridRow[]) {
  const [ids, setIds] = useState(none)
  const count = rows.length
  const shown = useMemo(() => rows.filter(({ id }) => ids.has(id)).length, [rows, ids])
  const latest = useRef({ rows, ids })
  latest.current = { rows, ids }
  const actions = useMemo(() => {
    let range: Range | null = null
    let read = 0
    const set = (next: ReadonlySet<string>) => {
      latest.current.ids = next
      setIds(next)
    }
    const idsOf = (one: number, other: number) =>
      latest.current.rows
        .slice(Math.max(0, Math.min(one, other)), Math.max(one, other) + 1)
        .map(({ id }) => id)
    const anew = (next: ReadonlySet<string>) => {
      range = null
      set(next)
    }
    const idAt = (row: number) => latest.current.rows[row]?.id
    const rangeAt = (from: number): Range => ({
      from,
      id: idAt(from),
      to: from,
      before: latest.current.ids,
    })
    /** Begins at the same row, wherever that stands in the list now. */
    const current = (): Range | null => {
      if (!range || range.id === undefined || idAt(range.from) === range.id) return range
      const { id } = range
      const from = latest.current.rows.findIndex((row) => row.id === id)
      return from < 0 ? null : rangeAt(from)
    }
    const reach = ({ from, id = idAt(from), before }: Range, to: number) => {
      range = { from, id, to, before }
      set(new Set([...before, ...idsOf(from, to)]))
    }
    return {
      toggle(index: number) {
        const next = new Set(latest.current.ids)
        for (const id of idsOf(index, index)) if (!next.delete(id)) next.add(id)
        set(next)
        range = rangeAt(index)
      },
      /** From the row that was chosen last, at whatever end of the range it is. */
      extendTo: (to: number) => reach(current() ?? rangeAt(to), to),
      /** From the row that the keyboard is at: starts a new range unless the old one ends there. */
      extend: (from: number, to: number) => {
        const before = current()
        reach(before?.to === from ? before : rangeAt(from), to)
      },
      /** All that were read, and those that were chosen before. */
      all: () => anew(new Set([...latest.current.ids, ...latest.current.rows.map(({ id }) => id)])),
      only: (chosen: Iterable<string>) => anew(new Set(chosen)),
      clear: () => anew(none),
      /** A range that ends at rows not read yet takes them as they are. */
      onRead(count: number) {
        if (count < read) range = null
        else if (range && Math.max(range.from, range.to) >= read) reach(range, range.to)
        read = count
      },
    }
  }, [])
  useEffect(() => actions.onRead(count), [actions, count])
  return { ids, shown, hidden: ids.size - shown, ...actions }
}
