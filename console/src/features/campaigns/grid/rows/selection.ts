import { useEffect, useMemo, useState } from 'react'
import type { GridRow } from '../columns/column.ts'
import { ChosenRows } from './chosen-rows.ts'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

/** The chosen rows. They stay chosen in another list, which says how many of them it does not show. */
export function useSelection(rows: readonly GridRow[]) {
  const [ids, setIds] = useState(none)
  const [chosen] = useState(() => new ChosenRows(setIds))
  chosen.show(rows)
  const count = rows.length
  const shown = useMemo(() => rows.filter(({ id }) => ids.has(id)).length, [rows, ids])
  useEffect(() => chosen.onRead(count), [chosen, count])
  return { ids, shown, hidden: ids.size - shown, ...chosen.actions }
}
