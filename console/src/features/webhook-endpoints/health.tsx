import { Link } from '@tanstack/react-router'
import { useSetSearch } from '../../data/search.ts'
import { flightdeck, type WebhookEndpoint } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Notice } from '../../ui/notice.tsx'

type HealthProps = { endpoint: WebhookEndpoint }

const reasons: Readonly<Record<string, string>> = {
  manual: 'It was disabled by a request. Events meanwhile are recorded as skipped.',
  failing: 'Its deliveries failed for five days. Repair the receiver, then enable it.',
  gone: 'Its receiver answered 410: it wants no more deliveries.',
}

/** The trouble of an endpoint, and the way out. */
export function Health({ endpoint }: HealthProps) {
  const enable = useEnable(endpoint)
  const { status, disabled_reason: reason, consecutive_failures: failures } = endpoint
  if (status === 'disabled') {
    return (
      <Notice tone={reason === 'manual' ? 'info' : 'bad'} title="This endpoint is disabled.">
        <p>{reasons[reason ?? ''] ?? reason}</p>
        <div>
          <Button small blocked={enable.blocked} onClick={enable.run}>
            Enable
          </Button>
        </div>
      </Notice>
    )
  }
  if (failures === 0) return null
  const times = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`
  return (
    <Notice tone="warn" title={`${times} failed.`}>
      <p>
        They are repeated for up to five days. Look at{' '}
        <Link to="." search={{ status: 'pending' }}>
          what is waiting
        </Link>{' '}
        and at{' '}
        <Link to="." search={{ status: 'failed' }}>
          what was given up
        </Link>
        .
      </p>
    </Notice>
  )
}

/** Enables it at once, and offers to send again what it missed. */
export function useEnable(endpoint: WebhookEndpoint) {
  const setSearch = useSetSearch()
  const blocked = useBlocked('enableWebhookEndpoint')
  const run = () =>
    void flightdeck.webhookEndpoints.enable(endpoint).then(
      () =>
        say('The endpoint is enabled', {
          detail: 'What it missed is not sent by itself.',
          action: { name: 'Recover…', run: () => setSearch({ open: 'recover' }) },
        }),
      sayTrouble,
    )
  return { blocked, run }
}
