import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import type { WebhookEndpoint } from '../../flightdeck.ts'
import { Status } from '../../ui/values/status.tsx'

type EndpointState = Pick<WebhookEndpoint, 'status' | 'disabled_reason' | 'consecutive_failures'>

/** Whether deliveries arrive, in a word. */
export function EndpointStatus({ endpoint }: { endpoint: EndpointState }) {
  const { status, disabled_reason: reason, consecutive_failures: failures } = endpoint
  if (status === 'disabled') {
    const isManual = reason === 'manual'
    return (
      <Status tone={isManual ? 'neutral' : 'bad'}>
        {isManual ? 'Disabled' : `Disabled: ${reason}`}
      </Status>
    )
  }
  return failures > 0 ? <Status tone="warn">Failing</Status> : <Status tone="good">Enabled</Status>
}

const tones: Readonly<Record<string, Tone>> = {
  pending: 'info',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'warn',
}

export const DeliveryStatus = ({ status }: { status: string }) => (
  <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
)
