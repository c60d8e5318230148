import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { type Search, useScreenState } from '../../../data/search.ts'
import { useSession } from '../../../session.tsx'
import { useElsewhere } from './rows/live-rows.ts'
import { type GridRows, useGridRows, useMissingFields } from './rows/rows.ts'
import { useSelection } from './rows/selection.ts'
import type { GridHandle } from './table.tsx'
import { gridQuery } from './views/query.ts'
import { columnsOf, fieldsOf } from './views/view.ts'

const noHandle: GridHandle = {
  ids: () => [],
  last: () => 0,
  goTo: () => {},
  focus: () => {},
  row: () => 0,
}

export type Grid = ReturnType<typeof useGrid>

/** Brings together the address, its rows, the chosen ones of them, and changes from elsewhere. */
export function useGrid() {
  const [search] = useScreenState()
  const element = useRef<HTMLDivElement>(null)
  const handle = useRef(noHandle)
  const { query, shown, fields } = useView(search)
  const rows = useGridRows(query, fields)
  const selection = useSelection(rows.rows)
  useMissingFields(rows, () => handle.current.last())
  useFreshRows(rows)
  const elsewhere = useElsewhere({
    grid: rows,
    query,
    fields,
    inSight: () => handle.current.ids(),
    lastInSight: () => handle.current.last(),
    isIdle: () => selection.ids.size === 0 && isIdle(element),
  })
  return { search, element, handle, shown, rows, selection, elsewhere }
}

/** The same objects while the address says the same of them. */
function useView(search: Search) {
  const { columns, preset } = search
  const { role } = useSession().user
  const shown = useMemo(() => columnsOf({ columns, preset }, role), [columns, preset, role])
  const text = JSON.stringify(gridQuery(search))
  const query = useMemo((): ReturnType<typeof gridQuery> => JSON.parse(text), [text])
  const fields = useMemo(() => fieldsOf(shown, query), [shown, query])
  return { query, shown, fields }
}

/** Rows kept from an earlier visit are read again: no one has followed the events since. */
function useFreshRows({ pages, reload }: GridRows): void {
  const first = useRef({ pages, reload })
  useEffect(() => {
    if (first.current.pages > 0) void first.current.reload(0).catch(() => {})
  }, [])
}

function isIdle({ current: grid }: RefObject<HTMLElement | null>): boolean {
  return (
    grid !== null &&
    !grid.matches(':hover') &&
    !grid.contains(document.activeElement) &&
    document.querySelector('dialog[open], [role=dialog]:popover-open') === null
  )
}
