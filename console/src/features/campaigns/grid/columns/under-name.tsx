import { Suspense } from 'react'
import { useMay } from '../../../../session.tsx'
import { useIsNarrow } from '../../../../ui/narrow.ts'
import { CampaignStatus } from '../../../../ui/values/object-status.tsx'
import styles from '../grid.module.css'
import type { GridRow } from './column.ts'
import { LazyPacing } from './pacing-columns.tsx'

/** On a telephone the other columns are out of sight: how it stands is said under the name. */
export function UnderName({ row: { id, status } }: { row: GridRow }) {
  const isNarrow = useIsNarrow()
  const mayReadPacing = useMay('listPacing')
  if (!isNarrow) return null
  return (
    <span className={styles.under}>
      <CampaignStatus status={status} />
      {mayReadPacing && (
        <Suspense>
          <LazyPacing id={id} figure="status" />
        </Suspense>
      )}
    </span>
  )
}
