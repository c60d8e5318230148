import { one, useScreenState } from '../../../../data/search.ts'
import { Money } from '../../../../ui/values/money.tsx'
import { Soft } from '../../../../ui/values/text.tsx'
import { Judged } from '../../target/performance.tsx'
import { metricText, targetText } from '../../target/words.ts'
import gridStyles from '../grid.module.css'
import type { GridRow } from './column.ts'
import { type MetricWindow, useMetrics } from './metrics-of-rows.ts'

type FigureName = 'spend' | 'conversions' | 'cpa' | 'cpc' | 'cpm' | 'ctr' | 'roas'
export type RowMetric = FigureName | 'target' | 'performance'

const isWindow = (given: string | undefined): given is MetricWindow =>
  given !== undefined && given in useMetrics

/** The target of a campaign, how it performs beside it, or a figure of some days. */
export default function MetricCell({ row, metric }: { row: GridRow; metric: RowMetric }) {
  const { target, performance } = row
  if (metric === 'target') return target ? targetText(target, row) : <Soft>–</Soft>
  if (metric !== 'performance') return <OfDays row={row} metric={metric} />
  return performance ? <Judged performance={performance} currency={row} /> : <Soft>–</Soft>
}

type CellProps = { row: GridRow; metric: FigureName }

/** A figure of the window that is in the address. Drawn anew for another, as each has its own store. */
function OfDays(cell: CellProps) {
  const [search] = useScreenState()
  const given = one(search.metric_window)
  const window = isWindow(given) ? given : '7d'
  return <InWindow key={window} window={window} {...cell} />
}

function InWindow({ row, metric, window }: CellProps & { window: MetricWindow }) {
  const useFigures = useMetrics[window]
  const figures = useFigures(row.id)
  if (figures === undefined) return <span className={gridStyles.unread} />
  if (figures === 'failed') return <Soft>Not available</Soft>
  if (figures === 'none') return <Soft>–</Soft>
  if (metric === 'spend') {
    const { currency, currency_exponent: exponent } = row
    return <Money minor={figures.spend_minor} currency={currency} exponent={exponent} />
  }
  const value = figures[metric]
  return value === null ? <Soft>–</Soft> : metricText({ metric, value }, row)
}
