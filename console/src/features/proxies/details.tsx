import { countryName } from '../../data/values/countries.ts'
import type { ProxyServer } from '../../flightdeck.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { sentence } from '../../ui/problem.ts'
import { Status } from '../../ui/values/status.tsx'
import { Copy, Labels, Soft } from '../../ui/values/text.tsx'
import { Age, By } from '../../ui/values/time.tsx'
import { addressOf } from './address.ts'

/** The last check, and what it means. */
export function Check({ proxy, isBusy }: { proxy: ProxyServer; isBusy: boolean }) {
  const { last_check: check, enabled } = proxy
  if (check === null) {
    const text = enabled
      ? 'It is checked within minutes, or when you ask for it.'
      : 'Disabled proxies are checked only when you ask for it.'
    return (
      <Notice title={isBusy ? 'Checking…' : 'Not checked yet.'}>{!isBusy && <p>{text}</p>}</Notice>
    )
  }
  return (
    <Card>
      <Facts
        facts={[
          [
            'Last check',
            isBusy ? (
              <Status key="busy" tone="info">
                Checking…
              </Status>
            ) : (
              <Status key="result" tone={check.ok ? 'good' : 'bad'}>
                {check.ok ? 'Succeeded' : 'Failed'}
              </Status>
            ),
          ],
          ['Made', <Age key="at" time={check.at} />],
          ['Latency', check.latency_ms === null ? null : `${check.latency_ms} ms`],
          ['Comes out at', check.egress_ip ?? <Soft key="egress">Not reported</Soft>],
        ]}
      />
      {check.error && <p>{sentence(check.error)}</p>}
    </Card>
  )
}

export const Details = ({ proxy }: { proxy: ProxyServer }) => (
  <Card>
    <Facts
      facts={[
        ['Address', <Copy key="address" text={addressOf(proxy)} />],
        ['Country', proxy.country && countryName(proxy.country)],
        ['Enabled', proxy.enabled ? 'Yes' : 'No'],
        ['Labels', <Labels key="labels" labels={proxy.labels} />],
        ...Object.entries(proxy.metadata).map(([key, value]) => [key, value] as const),
        ['External id', proxy.external_id],
        ['Id', <Copy key="id" text={proxy.id} />],
        ['Created', <By key="created" time={proxy.created_at} name={proxy.created_by_name} />],
        ['Changed', <By key="changed" time={proxy.updated_at} name={proxy.updated_by_name} />],
        ['Notes', proxy.notes && <p key="notes">{proxy.notes}</p>],
      ]}
    />
  </Card>
)
