import { nameOf } from '../../../../data/choices.ts'
import type { Campaign } from '../../../../flightdeck.ts'
import { Tooltip } from '../../../../ui/layers/tooltip.tsx'
import { Status } from '../../../../ui/values/status.tsx'
import { blockedText } from '../../reasons.ts'
import styles from '../grid.module.css'

/** Whether it may deliver now. Where the status alone says no, it is not worth a mark. */
export function DeliveryStatus({ delivery, status }: Pick<Campaign, 'delivery' | 'status'>) {
  if (delivery.state === 'eligible') return <Status tone="good">Eligible</Status>
  const [first = 'not_eligible'] = delivery.reasons
  const isRunning = status === 'active' || status === 'scheduled'
  return (
    <Tooltip text={blockedText(delivery.reasons) ?? ''}>
      {isRunning && first !== 'before_start' ? (
        <span className={styles.mark}>
          <Status tone="warn">{nameOf(first)}</Status>
        </span>
      ) : (
        <span className={styles.quiet}>{nameOf(first)}</span>
      )}
    </Tooltip>
  )
}
