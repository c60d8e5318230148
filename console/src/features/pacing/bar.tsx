import { Soft } from '../../ui/values/text.tsx'
import styles from './pacing.module.css'

/** The index as a number and a bar around 1.00; the word stands beside it. */
export function PacingBar({ index }: { index: number | null }) {
  if (index === null) return <Soft>–</Soft>
  const share = Math.min(2, Math.max(0, index)) / 2
  return (
    <span className={styles.pacing}>
      <svg width="56" height="8" viewBox="0 0 56 8" aria-hidden="true">
        <rect width="56" height="8" rx="2" className={styles.track} />
        <rect width={56 * share} height="8" rx="2" className={styles.fill} />
        <line x1="28" x2="28" y1="0" y2="8" className={styles.target} />
      </svg>
      {index.toFixed(2)}
    </span>
  )
}
