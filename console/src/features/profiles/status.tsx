import { nameOf } from '../../data/choices.ts'
import { Status, type Tone } from '../../ui/values/status.tsx'

const tones: Readonly<Record<string, Tone>> = { active: 'good', paused: 'warn', suspended: 'bad' }

export const ProfileStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
