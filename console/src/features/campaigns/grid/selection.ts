import { useEffect, useMemo, useRef, useState } from 'react'
import type { GridRow } from './columns.tsx'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

/** Rows chosen in a row, which may become fewer again, and what was chosen before them. */
type Range = { from: number; to: number; before: ReadonlySet<string> }

/** The chosen rows. Another list begins with none: nothing out of sight is ever changed. */
export function useSelection(rows: readonly GridRow[], listKey: string) {
  const [state, setState] = useState({ ids: none, listKey })
  const ids = state.listKey === listKey ? state.ids : none
  const count = rows.length
  const latest = useRef({ rows, ids })
  latest.current = { rows, ids }
  const actions = useMemo(() => {
    let range: Range | null = null
    let read = 0
    const set = (next: ReadonlySet<string>) => {
      latest.current.ids = next
      setState({ ids: next, listKey })
    }
    const idsOf = (one: number, other: number) =>
      latest.current.rows
        .slice(Math.max(0, Math.min(one, other)), Math.max(one, other) + 1)
        .map(({ id }) => id)
    const anew = (next: ReadonlySet<string>) => {
      range = null
      set(next)
    }
    const rangeAt = (row: number): Range => ({ from: row, to: row, before: latest.current.ids })
    const reach = ({ from, before }: Range, to: number) => {
      range = { from, to, before }
      set(new Set([...before, ...idsOf(from, to)]))
    }
    return {
      toggle(index: number) {
        const next = new Set(latest.current.ids)
        for (const id of idsOf(index, index)) if (!next.delete(id)) next.add(id)
        set(next)
        range = { from: index, to: index, before: next }
      },
      /** From the row that was chosen last, at whatever end of the range it is. */
      extendTo: (to: number) => reach(range ?? rangeAt(to), to),
      /** From the row that the keyboard is at: of another one than the range ends at, anew. */
      extend: (from: number, to: number) => reach(range?.to === from ? range : rangeAt(from), to),
      /** All that were read. */
      all: () => anew(new Set(latest.current.rows.map(({ id }) => id))),
      only: (chosen: Iterable<string>) => anew(new Set(chosen)),
      clear: () => anew(none),
      /** A range that ends at rows not read yet takes them as they are. */
      onRead(count: number) {
        if (range && Math.max(range.from, range.to) >= read) reach(range, range.to)
        read = count
      },
    }
  }, [listKey])
  useEffect(() => actions.onRead(count), [actions, count])
  return { ids, ...actions }
}
