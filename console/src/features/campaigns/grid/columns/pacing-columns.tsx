import { Suspense, useEffect } from 'react'
import { sayTrouble } from '../../../../ui/layers/toast.tsx'
import { lazily } from '../../../../ui/lazily.tsx'
import styles from '../grid.module.css'
import type { GridColumn, GridRow } from './column.ts'
import type { PacingFigure } from './pacing-cell.tsx'

export const LazyPacing = lazily(() => import('./pacing-cell.tsx'), Unread)
const DaysCell = lazily(() => import('./days-cell.tsx'), Unread)

const unread = <span className={styles.unread} />

const said = new WeakSet<object>()

/** Said once for all cells, also those that come into sight later: none has room for it. */
function Unread({ error }: { error: unknown }) {
  useEffect(() => {
    if (!(error instanceof Error) || said.has(error)) return
    said.add(error)
    sayTrouble(error)
  }, [error])
  return unread
}

const ofPacing = (figure: PacingFigure) => ({
  fields: [],
  operation: 'listPacing' as const,
  cell: ({ id }: GridRow) => (
    <Suspense fallback={unread}>
      <LazyPacing id={id} figure={figure} />
    </Suspense>
  ),
})

/** Columns of spending beside its plan, which are read only where they are shown. */
export const pacingColumns: readonly GridColumn[] = [
  { id: 'spend', header: 'Spend', width: 130, align: 'end', ...ofPacing('spend') },
  { id: 'pacing', header: 'Pacing', width: 236, ...ofPacing('pacing') },
  { id: 'projected', header: 'Projected', width: 130, align: 'end', ...ofPacing('projected') },
  {
    id: 'at_risk',
    header: 'At risk',
    width: 130,
    align: 'end',
    sort: 'money_at_risk',
    isLargestFirst: true,
    ...ofPacing('at_risk'),
  },
  {
    id: 'last_days',
    header: 'Last 14 days',
    width: 134,
    fields: [],
    operation: 'listResults',
    cell: (row) => (
      <Suspense fallback={unread}>
        <DaysCell row={row} />
      </Suspense>
    ),
  },
]
