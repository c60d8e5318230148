import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { partKey } from '../../../data/keys.ts'
import { type Campaign, flightdeck, type Schema } from '../../../flightdeck.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { reasonText } from '../reasons.ts'
import { StatusChangeLine } from '../status-change/status-change.tsx'
import styles from './overview.module.css'

/** State of its delivery, each reason in words, and where to look. */
export function Delivery({ campaign }: { campaign: Campaign }) {
  const { reasons } = campaign.delivery
  return (
    <Section title="Delivery">
      <Card>
        <div>
          <State campaign={campaign} />
        </div>
        {reasons.length > 0 && (
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>
                {reasonText(reason)} <WayOn reason={reason} campaign={campaign} />
              </li>
            ))}
          </ul>
        )}
        <StatusChangeLine campaign={campaign} />
      </Card>
    </Section>
  )
}

/** The service may let it deliver while its network does something else. */
function State({ campaign: { status, delivery } }: { campaign: Campaign }) {
  if (delivery.state !== 'eligible') {
    return <Status tone={status === 'active' ? 'bad' : 'neutral'}>Does not deliver</Status>
  }
  if (delivery.reasons.length > 0) return <Status tone="warn">May deliver</Status>
  return <Status tone="good">Delivers now</Status>
}

type DeliveryReason = Schema<'DeliveryReason'>

function WayOn({ reason, campaign }: { reason: DeliveryReason; campaign: Campaign }): ReactNode {
  const { profile_id: id, start_at, end_at, time_zone: zone } = campaign
  if (reason === 'before_start') return <Time time={start_at} zone={zone} />
  if (reason === 'after_end') return <Time time={end_at} zone={zone} />
  if (reason === 'outside_schedule') return <NextOpening campaign={campaign} />
  if (['profile_not_active', 'proxy_failing', 'currency_mismatch'].includes(reason)) {
    return (
      <Link to="/profiles/$id" params={{ id }}>
        Show its profile
      </Link>
    )
  }
  return null
}

/** When the week schedule opens again. */
function NextOpening({ campaign }: { campaign: Campaign }) {
  const { id, time_zone: zone, version } = campaign
  const { data } = useQuery({
    queryKey: partKey('campaigns', id, 'next opening', { version }),
    queryFn: async () => (await flightdeck.campaigns.getSchedule(id)).data[0] ?? null,
  })
  return data ? (
    <>
      It opens <Time time={data.start} zone={zone} />.
    </>
  ) : null
}
