import type { ReactNode } from 'react'
import styles from './empty.module.css'

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode }

/** A hint for a list that has nothing yet. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className={styles.empty}>
    <p className={styles.emptyTitle}>{title}</p>
    {children && <p className={styles.emptyText}>{children}</p>}
    {action && <div className={styles.emptyAction}>{action}</div>}
  </div>
)
