import { lazy, Suspense } from 'react'
import type { GridColumn, GridRow } from './columns.tsx'
import styles from './grid.module.css'
import type { PacingFigure } from './pacing-cell.tsx'

const PacingCell = lazy(() => import('./pacing-cell.tsx'))

const ofPacing = (figure: PacingFigure) => ({
  fields: [],
  operation: 'listPacing' as const,
  cell: ({ id }: GridRow) => (
    <Suspense fallback={<span className={styles.unread} />}>
      <PacingCell id={id} figure={figure} />
    </Suspense>
  ),
})

/** What was spent beside what was planned. It is read only where it is shown. */
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
]
