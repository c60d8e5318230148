import { useMemo, useRef, useState } from 'react'
import type { GridRow } from './columns.tsx'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

/** The chosen rows. Another list begins with none: nothing out of sight is ever changed. */
export function useSelection(rows: readonly GridRow[], listKey: string) {
  const [state, setState] = useState({ ids: none, listKey })
  const anchor = useRef(0)
  const latest = useRef(rows)
  latest.current = rows
  const ids = state.listKey === listKey ? state.ids : none
  const actions = useMemo(() => {
    const set = (next: ReadonlySet<string>) => setState({ ids: next, listKey })
    const idsOf = (from: number, to: number) =>
      latest.current
        .slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1)
        .map(({ id }) => id)
    return {
      toggle(index: number) {
        anchor.current = index
        setState((before) => {
          const next = new Set(before.listKey === listKey ? before.ids : none)
          for (const id of idsOf(index, index)) if (!next.delete(id)) next.add(id)
          return { ids: next, listKey }
        })
      },
      /** All from the last one chosen to this one. */
      extendTo(index: number) {
        setState((before) => {
          const old = before.listKey === listKey ? before.ids : none
          return { ids: new Set([...old, ...idsOf(anchor.current, index)]), listKey }
        })
      },
      /** All that were read. */
      all: () => set(new Set(latest.current.map(({ id }) => id))),
      only: (chosen: Iterable<string>) => set(new Set(chosen)),
      clear: () => set(none),
    }
  }, [listKey])
  return { ids, ...actions }
}
