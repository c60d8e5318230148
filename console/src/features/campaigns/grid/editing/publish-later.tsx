import { decimalIn, minorIn } from '../../../../data/typed.ts'
import { Button } from '../../../../ui/button.tsx'
import { say } from '../../../../ui/layers/toast.tsx'
import { trayIsFull, useTray } from '../../../change-sets/tray.ts'
import type { GridRow } from '../columns/column.ts'

type PublishLaterProps = {
  row: GridRow
  field: 'daily_budget' | 'lifetime_budget'
  /** As typed; null for no limit. */
  amount: string | null
  onDone: () => void
}

/**
 * Offers to let an edit that raises spend wait with others, to be published or reviewed together.
 */
export function PublishLater({ row, field, amount, onDone }: PublishLaterProps) {
  const tray = useTray()
  if (!raises({ row, field, amount })) return null
  const add = () => {
    const body = { [field]: amount === null ? null : decimalIn(amount, row.currency) }
    const { id, name, version } = row
    if (tray.add([{ id, name, version, body, action: null }])) onDone()
    else say(trayIsFull)
  }
  return (
    <Button small onClick={add}>
      Publish later
    </Button>
  )
}

function raises({ row, field, amount }: Omit<PublishLaterProps, 'onDone'>): boolean {
  const before = row[`${field}_minor`] ?? null
  if (amount === null) return before !== null
  const after = minorIn(amount, row.currency)
  return after !== null && before !== null && after > before
}
