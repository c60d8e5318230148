import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { addDays, formatDate } from '../../data/values/time.ts'
import type { Campaign } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Money } from '../../ui/values/money.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import type { ScheduledBudget } from '../change-sets/tray/budget-steps.ts'
import { PacingBar } from './bar.tsx'
import { Cumulative } from './cumulative.tsx'
import { Daily } from './daily.tsx'
import { daysOf, type Scheduled, scheduledExtra } from './days.ts'
import styles from './pacing.module.css'
import { dailyResults, type Pacing, pacingQuery } from './queries.ts'
import { sentenceOf } from './reason.ts'
import { PacingStatus } from './status.tsx'

type PacingProps = {
  campaign: Campaign
  scheduled: ScheduledBudget
}

/** Spending of a campaign beside its plan. */
export default function PacingSection({ campaign, scheduled: { steps, isAll } }: PacingProps) {
  const { data: pacing, error } = useQuery(pacingQuery(campaign.id))
  const scheduled = { steps, dailyMinor: campaign.daily_budget_minor, zone: campaign.time_zone }
  if (error) return <ProblemNotice error={error} />
  if (!pacing) return <Skeleton rows={5} />
  const why = sentenceOf(pacing, campaign.time_zone)
  return (
    <>
      <Card>
        <PacingStatus status={pacing.status} />
        {why && <p>{why}</p>}
        {pacing.confidence === 'low' &&
          pacing.status !== 'low_confidence' &&
          pacing.spent_minor !== null && (
            <Notice title="It is too early to say more: few days are complete." />
          )}
        <PacingFacts pacing={pacing} scheduled={scheduled} />
        {steps.length > 0 && <Soft>Scheduled budgets are counted as spent in full.</Soft>}
        {!isAll && <Soft>Not all that is scheduled is counted in here.</Soft>}
      </Card>
      {pacing.overspend.length > 0 && <Overspend pacing={pacing} />}
      <Charts pacing={pacing} scheduled={scheduled} />
    </>
  )
}

type PlanProps = { pacing: Pacing; scheduled: Scheduled }

function PacingFacts({ pacing, scheduled }: PlanProps) {
  const { zone } = scheduled
  const money = { currency: pacing.currency, exponent: pacing.currency_exponent }
  return (
    <Facts
      facts={[
        ['Spent', <Money key="spent" minor={pacing.spent_minor} none="No data" {...money} />],
        ['Target of the period', <Money key="target" minor={pacing.target_minor} {...money} />],
        ['Expected by now', <Money key="expected" minor={pacing.expected_minor} {...money} />],
        ['Pacing', <PacingBar key="index" index={pacing.pacing_index} />],
        [
          'Projected at the end',
          <Money key="projected" minor={pacing.projected_minor} {...money} />,
        ],
        ...scheduledFacts({ pacing, scheduled }),
        ['At risk', <Money key="risk" minor={pacing.money_at_risk_minor} {...money} />],
        ['Needed a day', <Money key="daily" minor={pacing.required_daily_minor} {...money} />],
        ['Days left', pacing.days_left ?? 'No end'],
        ['Period from', <Time key="start" time={pacing.period.start} zone={zone} />],
        ['Until', <Time key="end" time={pacing.period.end} zone={zone} none="No end" />],
        [
          'Complete through',
          pacing.complete_through ? formatDate(pacing.complete_through) : 'No data',
        ],
        ['Sources', pacing.sources.join(', ') || 'None'],
      ]}
    />
  )
}

/** Projected with the budgets that are scheduled, where there are some. */
function scheduledFacts({ pacing, scheduled }: PlanProps): readonly [string, ReactNode][] {
  const { projected_minor: projected, currency, currency_exponent: exponent } = pacing
  if (projected === null || scheduled.steps.length === 0) return []
  const minor = projected + scheduledExtra(pacing, scheduled)
  return [['With what is scheduled', <Money key="scheduled" {...{ minor, currency, exponent }} />]]
}

const mostOverspend = 5

/** The latest first; the charts have them all. */
function Overspend({ pacing }: { pacing: Pacing }) {
  const money = { currency: pacing.currency, exponent: pacing.currency_exponent }
  const latest = pacing.overspend.toReversed().slice(0, mostOverspend)
  const rest = pacing.overspend.length - latest.length
  return (
    <Notice tone="warn" title="More was spent than the platform allows itself.">
      <ul>
        {latest.map(({ from, to, spent_minor, allowed_minor }) => (
          <li key={`${from} ${to}`}>
            {formatDays(from, dayAfter(to, -1))}: <Money minor={spent_minor} {...money} /> of at
            most <Money minor={allowed_minor} {...money} />
          </li>
        ))}
        {rest > 0 && <li>and {rest} more before</li>}
      </ul>
    </Notice>
  )
}

function Charts({ pacing, scheduled }: PlanProps) {
  const mayReport = useMay('reportResults')
  const planned = pacing.days ?? []
  const [first, last] = [planned[0]?.date, planned.at(-1)?.date]
  const query = useQuery({
    ...dailyResults(pacing.campaign_id, { from: first ?? '', to: dayAfter(last ?? first ?? '') }),
    enabled: first !== undefined,
  })
  if (pacing.sources.length === 0) {
    return (
      <Empty
        title="Nothing has been reported yet"
        action={mayReport && <LinkButton to="/results/import">Import results</LinkButton>}
      >
        Your connectors report what was spent each day, or import a CSV file of it.
      </Empty>
    )
  }
  if (query.error) return <ProblemNotice error={query.error} />
  if (!query.data) return <Skeleton rows={6} />
  const days = daysOf(pacing, query.data.data, scheduled)
  return (
    <div className={styles.charts}>
      <Cumulative pacing={pacing} days={days} />
      <Daily pacing={pacing} days={days} />
    </div>
  )
}

const dayAfter = (date: string, days = 1): string => (date === '' ? '' : addDays(date, days))

const formatDays = (first: string, last: string): string =>
  first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`
