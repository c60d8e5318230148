import styles from './skeleton.module.css'

/** Stands in for rows that load; it appears only after a moment, so fast answers do not flicker. */
export const Skeleton = ({ rows }: { rows: number }) => (
  <div className={styles.skeleton} role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
      <div key={at} className={styles.row} />
    ))}
  </div>
)
