import { Tooltip } from '../../../../ui/layers/tooltip.tsx'
import { Soft } from '../../../../ui/values/text.tsx'
import gridStyles from '../grid.module.css'
import type { GridRow } from './column.ts'
import styles from './days-cell.module.css'
import { useDays } from './days-of-rows.ts'
import { drawnDays, size } from './spark.ts'

/** The campaign's spending on each of the last days; provisional days have an outline only. */
export default function DaysCell({ row }: { row: GridRow }) {
  const days = useDays(row.id)
  if (days === undefined) return <span className={gridStyles.unread} />
  if (days === 'failed') return <Soft>Not available</Soft>
  const drawn = days === 'none' ? null : drawnDays(days, row)
  if (drawn === null) return <Soft>No data</Soft>
  const { text, final, provisional, missing } = drawn
  return (
    <Tooltip text={text}>
      <svg
        width={size.width}
        height={size.height}
        role="img"
        aria-label={text}
        className={styles.days}
      >
        {final !== '' && <path d={final} className={styles.final} />}
        {provisional !== '' && <path d={provisional} className={styles.provisional} />}
        {missing !== '' && <path d={missing} className={styles.missing} />}
      </svg>
    </Tooltip>
  )
}
