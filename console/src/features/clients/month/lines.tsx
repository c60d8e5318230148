import type { ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import { Soft } from '../../../ui/values/text.tsx'
import type { ClientPacing, Months } from './figures.ts'
import styles from './lines.module.css'

type LinesProps = {
  id: string
  months: Months
  align?: 'end'
  children: (pacing: ClientPacing) => ReactNode
}

/** A line for each currency of a client’s month. */
export function Lines({ id, months, align, children }: LinesProps) {
  const rows = months.of(id)
  if (rows === undefined) return <Soft>{months.isFailed ? 'Not available' : '…'}</Soft>
  if (rows.length === 0) return <Soft>–</Soft>
  return (
    <span className={classes(styles.lines, align && styles.end)}>
      {rows.map((pacing) => (
        <span key={pacing.currency} className={styles.line}>
          {children(pacing)}
        </span>
      ))}
    </span>
  )
}
