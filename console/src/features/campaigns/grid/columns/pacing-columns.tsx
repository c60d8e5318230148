import { type ReactNode, Suspense, useEffect } from 'react'
import { sayTrouble } from '../../../../ui/layers/toast.tsx'
import { lazily } from '../../../../ui/lazily.tsx'
import styles from '../grid.module.css'
import type { GridColumn, GridRow } from './column.ts'
import type { RowMetric } from './metric-cell.tsx'
import type { PacingFigure } from './pacing-cell.tsx'

export const LazyPacing = lazily(() => import('./pacing-cell.tsx'), Unread)
const DaysCell = lazily(() => import('./days-cell.tsx'), Unread)
const MetricCell = lazily(() => import('./metric-cell.tsx'), Unread)

const unread = <span className={styles.unread} />

/** A cell whose code is loaded when it is first shown. */
const inCell = (cell: ReactNode) => <Suspense fallback={unread}>{cell}</Suspense>

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
  cell: ({ id }: GridRow) => inCell(<LazyPacing id={id} figure={figure} />),
})

const ofMetric = (metric: RowMetric, header: string, more: Partial<GridColumn>): GridColumn => ({
  id: metric,
  header,
  width: 118,
  fields: [],
  cell: (row) => inCell(<MetricCell row={row} metric={metric} />),
  ...more,
})

const ofFigure = (metric: RowMetric, header: string) =>
  ofMetric(metric, header, {
    id: `metric_${metric}`,
    align: 'end',
    sort: metric,
    isLargestFirst: true,
    operation: 'listResults',
  })

const figures = ['cpa', 'cpc', 'cpm', 'ctr', 'roas'] as const

/** Columns of targets, and of what was achieved in the days that the address names. */
export const metricColumns: readonly GridColumn[] = [
  ofMetric('performance', 'Performance', {
    width: 300,
    fields: ['performance'],
    sort: 'performance_index',
  }),
  ofMetric('target', 'Target', { width: 250, fields: ['target'] }),
  ofFigure('spend', 'Spend of days'),
  ofFigure('conversions', 'Conversions'),
  ...figures.map((metric) => ofFigure(metric, metric.toUpperCase())),
]

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
    cell: (row) => inCell(<DaysCell row={row} />),
  },
]
