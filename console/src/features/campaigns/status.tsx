import { nameOf } from '../../data/choices.ts'
import { Status, type Tone } from '../../ui/values/status.tsx'

const tones: Readonly<Record<string, Tone>> = {
  pending_review: 'warn',
  scheduled: 'info',
  active: 'good',
  paused: 'warn',
}

export const CampaignStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
