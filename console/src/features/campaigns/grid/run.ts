import { say } from '../../../ui/toast.tsx'
import { actionBlocked } from '../reasons.ts'
import type { GridRow } from './columns.tsx'
import { learn } from './known.ts'

/** A running campaign is paused, any other is resumed. */
export const runActionOf = ({ status }: Pick<GridRow, 'status'>): 'pause' | 'resume' =>
  status === 'active' || status === 'scheduled' ? 'pause' : 'resume'

/** At once, and back again from the message. */
export async function pauseOrResume(row: GridRow): Promise<void> {
  const action = runActionOf(row)
  const blocked = actionBlocked(row, action)
  if (blocked) return say(`${row.name}: ${blocked}`)
  const { performAtOnce } = await import('../perform.ts')
  await performAtOnce(action, row, { onChanged: (changed) => learn([changed]) })
}
