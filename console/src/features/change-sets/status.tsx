import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import { Status } from '../../ui/values/status.tsx'

const tones: Readonly<Record<string, Tone>> = {
  open: 'info',
  approved: 'good',
  scheduled: 'info',
  applied: 'good',
  reverted: 'neutral',
  rejected: 'bad',
  failed: 'bad',
}

export const ChangeSetStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
