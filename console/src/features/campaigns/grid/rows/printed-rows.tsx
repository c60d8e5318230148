import { Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '../../../../ui/lazily.tsx'
import { mostPrinted, useBeforePrint } from '../../../../ui/printing/printing.ts'
import styles from '../grid.module.css'
import type { Grid } from '../use-grid.ts'

const PrintedTable = lazyPart(() => import('./printed-table.tsx'))

/** The grid draws the rows in sight only; on paper there are all that were read, in a plain table. */
export default function PrintedRows({ grid: { rows, shown } }: { grid: Grid }) {
  const [isPrinting, setPrinting] = useState(false)
  useBeforePrint(async () => {
    await Promise.all([rows.readUpTo(mostPrinted), PrintedTable.preload()])
    flushSync(() => setPrinting(true))
    await untilDrawn()
  })
  useEffect(() => {
    // By the browser's menu there is no time to read more, nor to load the table then.
    void PrintedTable.preload()
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
  return (
    <div className="print-only" data-printed>
      <Suspense>
        <PrintedTable rows={rows.rows} total={rows.total} columns={shown} />
      </Suspense>
    </div>
  )
}

const pauseMs = 100
const mostPauses = 100

/** Figures come after the rows that they belong to. */
async function untilDrawn(): Promise<void> {
  const waiting = `[data-printed] .${styles.unread}`
  for (let at = 0; at < mostPauses && document.querySelector(waiting); at += 1)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
