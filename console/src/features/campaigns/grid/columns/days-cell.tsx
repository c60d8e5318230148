import { SparkBars } from '../../../../charts/spark-bars.tsx'
import { Soft } from '../../../../ui/values/text.tsx'
import gridStyles from '../grid.module.css'
import type { GridRow } from './column.ts'
import { useDays } from './days-of-rows.ts'
import { drawnDays, width } from './spark.ts'

/** The campaign's spending on each of the last days. */
export default function DaysCell({ row }: { row: GridRow }) {
  const days = useDays(row.id)
  if (days === undefined) return <span className={gridStyles.unread} />
  if (days === 'failed') return <Soft>Not available</Soft>
  const spark = days === 'none' ? null : drawnDays(days, row)
  if (spark === null) return <Soft>No data</Soft>
  return <SparkBars spark={spark} width={width} />
}
