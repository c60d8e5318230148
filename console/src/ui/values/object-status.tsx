import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import { Status } from './status.tsx'

const campaignTones: Readonly<Record<string, Tone>> = {
  pending_review: 'warn',
  scheduled: 'info',
  active: 'good',
  paused: 'warn',
}

export const CampaignStatus = ({ status }: { status: string }) => (
  <Status tone={campaignTones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)

export const ClientStatus = ({ status }: { status: string }) => (
  <Status tone={status === 'active' ? 'good' : 'neutral'}>{nameOf(status)}</Status>
)

const deploymentTones: Readonly<Record<string, Tone>> = {
  in_sync: 'good',
  drifted: 'warn',
  failed: 'warn',
  blocked: 'bad',
  pending: 'info',
  removing: 'info',
}

/** `stale`: it is as it was when a connector last held the account. */
export const DeploymentStatus = ({ state, stale }: { state: string; stale: boolean }) => (
  <Status tone={stale ? 'neutral' : (deploymentTones[state] ?? 'neutral')}>{nameOf(state)}</Status>
)

const profileTones: Readonly<Record<string, Tone>> = {
  active: 'good',
  paused: 'warn',
  suspended: 'bad',
}

export const ProfileStatus = ({ status }: { status: string }) => (
  <Status tone={profileTones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
