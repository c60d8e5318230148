import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { CutNote } from '../../../../ui/lists/cut-note.tsx'
import { type Column, Table } from '../../../../ui/lists/table.tsx'
import { mostPrinted, useBeforePrint } from '../../../../ui/printing/printing.ts'
import type { GridColumn, GridRow } from '../columns/column.ts'
import styles from '../grid.module.css'
import type { Grid } from '../use-grid.ts'

/** The grid draws the rows in sight only; on paper there are all that were read, in a plain table. */
export function PrintedRows({ grid: { rows, shown } }: { grid: Grid }) {
  const [isPrinting, setPrinting] = useState(false)
  useBeforePrint(async () => {
    await rows.readUpTo(mostPrinted)
    flushSync(() => setPrinting(true))
    await untilDrawn()
  })
  useEffect(() => {
    // By the browser's menu there is no time to read more.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  if (!isPrinting) return null
  const printed = rows.rows.slice(0, mostPrinted)
  return (
    <div className="print-only" data-printed>
      <Table caption="Campaigns" rows={printed} columns={shown.map(toColumn)} />
      {rows.total > printed.length && <CutNote shown={printed.length} total={rows.total} />}
    </div>
  )
}

const noFocus = { tabIndex: -1, isSelected: false } as const

const toColumn = ({ id, header, align, fields, cell }: GridColumn): Column<GridRow> => ({
  id,
  header,
  ...(align && { align }),
  wrap: id === 'name',
  cell: (row) => (fields.every((field) => Object.hasOwn(row, field)) ? cell(row, noFocus) : null),
})

const pauseMs = 100
const mostPauses = 100

/** Figures come after the rows that they belong to. */
async function untilDrawn(): Promise<void> {
  const waiting = `[data-printed] .${styles.unread}`
  for (let at = 0; at < mostPauses && document.querySelector(waiting); at += 1)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
