import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { scheduleText } from '../../../data/values/week.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { lazyPart } from '../../../ui/lazily.tsx'
import { Card, Facts, Section } from '../../../ui/page.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { Copy, Labels, Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { templateQuery } from '../form/templates.ts'
import { Review } from '../review/review.tsx'
import { ProfileName } from '../terms.tsx'
import { Delivery } from './delivery.tsx'
import { Next } from './next.tsx'
import styles from './overview.module.css'

const TargetShown = lazyPart(() => import('../target/target-shown.tsx'))
const CampaignPerformance = lazyPart(() => import('../target/campaign-performance.tsx'))

type Props = { campaign: Campaign }

export const Overview = ({ campaign }: Props) => (
  <div className={styles.overview}>
    <div className={styles.column}>
      <Plan campaign={campaign} />
      <About campaign={campaign} />
    </div>
    <div className={styles.column}>
      <Delivery campaign={campaign} />
      <Review campaign={campaign} />
      <Next campaign={campaign} />
    </div>
  </div>
)

function Plan({ campaign }: Props) {
  const { currency, currency_exponent: exponent, time_zone: zone, profile_id: id } = campaign
  const money = (minor: number | null) => (
    <Money minor={minor} currency={currency} exponent={exponent} none="No limit" />
  )
  return (
    <Section title="Plan">
      <Card>
        <Facts
          facts={[
            ['Daily budget', money(campaign.daily_budget_minor)],
            ['Lifetime budget', money(campaign.lifetime_budget_minor)],
            [
              'Start',
              <Time
                key="s"
                time={campaign.start_at ?? campaign.launched_at}
                zone={zone}
                none="When launched"
              />,
            ],
            ['End', <Time key="e" time={campaign.end_at} zone={zone} none="Never" />],
            ['Time zone', zone],
            [
              'Week schedule',
              <Link key="w" to="." search={{ tab: 'schedule' }}>
                {scheduleText(campaign.schedule)}
              </Link>,
            ],
            [
              'Profile',
              <Link key="p" to="/profiles/$id" params={{ id }}>
                <ProfileName id={id} />
              </Link>,
            ],
            ['Objective', nameOf(campaign.objective)],
            ...onTarget(campaign),
            ...inNetwork(campaign),
          ]}
        />
      </Card>
    </Section>
  )
}

/** Shown of campaigns that are to achieve something. */
function onTarget(campaign: Campaign): [string, ReactNode][] {
  if (campaign.target === null) return []
  return [
    ['Target', <TargetShown key="target" target={campaign.target} campaign={campaign} />],
    ['Performance', <CampaignPerformance key="performance" campaign={campaign} />],
  ]
}

/** Shown of campaigns that are deployed. */
function inNetwork({ deployment }: Campaign): [string, string][] {
  if (!deployment) return []
  const { state, drift_fields, network_object_id } = deployment
  const drift = drift_fields.length > 0 ? `: ${drift_fields.map(nameOf).join(', ')}` : ''
  const id = network_object_id === null ? '' : ` (${network_object_id})`
  return [['In its network', `${nameOf(state)}${drift}${id}`]]
}

const About = ({ campaign }: Props) => (
  <Section title="About it">
    <Card>
      <Facts
        facts={[
          ['Labels', <Labels key="labels" labels={campaign.labels} />],
          ['Notes', campaign.notes && <p key="notes">{campaign.notes}</p>],
          ['External id', campaign.external_id ?? <Soft>–</Soft>],
          ['Template', <FromTemplate key="template" campaign={campaign} />],
          ...Object.entries(campaign.metadata).map(([key, value]) => [key, value] as const),
          ['Id', <Copy key="id" text={campaign.id} />],
          [
            'Created',
            <By key="created" time={campaign.created_at} name={campaign.created_by_name} />,
          ],
          [
            'Changed',
            <By key="changed" time={campaign.updated_at} name={campaign.updated_by_name} />,
          ],
          ...(['launched_at', 'completed_at', 'archived_at'] as const)
            .filter((field) => campaign[field] !== null)
            .map((field) => [moments[field], <Time key={field} time={campaign[field]} />] as const),
        ]}
      />
    </Card>
  </Section>
)

const moments = { launched_at: 'Launched', completed_at: 'Completed', archived_at: 'Archived' }

const By = ({ time, name }: { time: string; name: string | null | undefined }) => (
  <>
    <Time time={time} /> {name && `by ${name}`}
  </>
)

/** The template may be gone, or another than it was. */
function FromTemplate({ campaign: { template_id: id, template_version: version } }: Props) {
  const { data } = useQuery({ ...templateQuery(id ?? ''), enabled: id !== null })
  if (id === null) return <Soft>–</Soft>
  if (!data) return `${id}, version ${version}`
  return (
    <>
      <Link to="/templates/$id" params={{ id }}>
        {data.name}
      </Link>
      , version {version}
    </>
  )
}
