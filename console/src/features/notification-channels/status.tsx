import { Status } from '../../ui/values/status.tsx'
import type { Channel } from './queries.ts'

/** Whether messages arrive, in a word. */
export function ChannelStatus({ channel }: { channel: Channel }) {
  const { status, disabled_reason: reason, last_error } = channel
  if (status === 'disabled') {
    const isManual = reason === 'manual'
    return (
      <Status tone={isManual ? 'neutral' : 'bad'}>{isManual ? 'Off' : `Off: ${reason}`}</Status>
    )
  }
  return last_error !== null ? (
    <Status tone="warn">Failing</Status>
  ) : (
    <Status tone="good">On</Status>
  )
}
