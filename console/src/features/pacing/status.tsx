import { IconInfoCircle } from '@tabler/icons-react'
import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import { Tooltip } from '../../ui/layers/tooltip.tsx'
import { Status } from '../../ui/values/status.tsx'
import styles from './pacing.module.css'
import { type Judged, reasonOf } from './reason.ts'

const tones: Readonly<Record<string, Tone>> = {
  on_track: 'good',
  under: 'warn',
  over: 'warn',
  critical: 'bad',
  exhausted: 'bad',
  stale: 'warn',
}

export const PacingStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)

/** With why on a second line. */
export function ExplainedStatus({ pacing }: { pacing: Judged }) {
  const reason = reasonOf(pacing)
  return (
    <span className={styles.explained}>
      <PacingStatus status={pacing.status} />
      {reason && <span className={styles.reason}>{reason}</span>}
    </span>
  )
}

/** On one line: why is said on hover and on focus. */
export function ShortStatus({ pacing }: { pacing: Judged }) {
  const reason = reasonOf(pacing)
  if (reason === null) return <PacingStatus status={pacing.status} />
  return (
    <Tooltip text={reason}>
      <span className={styles.hinted}>
        <PacingStatus status={pacing.status} />
        <IconInfoCircle aria-hidden size={14} />
        <span className="visually-hidden">{reason}</span>
      </span>
    </Tooltip>
  )
}
