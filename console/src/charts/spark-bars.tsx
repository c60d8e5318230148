import { Tooltip } from '../ui/layers/tooltip.tsx'
import styles from './spark.module.css'
import { type Spark, sparkHeight } from './spark.ts'

/** Spending of some days as small bars; provisional ones have an outline only. */
export const SparkBars = ({ spark, width }: { spark: Spark; width: number }) => (
  <Tooltip text={spark.text}>
    <svg
      width={width}
      height={sparkHeight}
      role="img"
      aria-label={spark.text}
      className={styles.days}
    >
      {spark.final !== '' && <path d={spark.final} className={styles.final} />}
      {spark.provisional !== '' && <path d={spark.provisional} className={styles.provisional} />}
      {spark.missing !== '' && <path d={spark.missing} className={styles.missing} />}
    </svg>
  </Tooltip>
)
