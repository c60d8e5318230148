import { nameOf } from '../../data/choices.ts'
import { Status, type Tone } from '../../ui/status.tsx'

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
