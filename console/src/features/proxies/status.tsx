import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import { Status } from '../../ui/values/status.tsx'

const tones: Readonly<Record<string, Tone>> = { healthy: 'good', degraded: 'warn', failing: 'bad' }

export const ProxyStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
