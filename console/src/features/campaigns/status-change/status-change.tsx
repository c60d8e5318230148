import { useQuery } from '@tanstack/react-query'
import { useTick } from '../../../data/clock.ts'
import { partKey } from '../../../data/keys.ts'
import { byActor } from '../../../data/values/actor.ts'
import { formatMoney } from '../../../data/values/money.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { reasonText } from '../reasons.ts'
import { daysAround, notSpent, pausedSpan, roughly } from './not-spent.ts'

type StatusChange = NonNullable<Campaign['status_change']>

const pastWords: Readonly<Record<StatusChange['action'], string>> = {
  launch: 'Launched',
  start: 'Started',
  submit: 'Submitted',
  approve: 'Approved',
  reject: 'Rejected',
  withdraw: 'Withdrawn',
  unschedule: 'Unscheduled',
  pause: 'Paused',
  resume: 'Resumed',
  complete: 'Completed',
  archive: 'Archived',
  unarchive: 'Unarchived',
}

/**
 * The last change of status: by whom, when, and why; for a paused campaign, about how much was not
 * spent.
 */
export function StatusChangeLine({ campaign }: { campaign: Campaign }) {
  const { status_change: change, status } = campaign
  if (!change) return null
  return (
    <p>
      {pastWords[change.action] ?? change.action} {byActor(change.by)}, <Time time={change.at} />
      <Why change={change} reason={campaign.status_reason} />
      {status === 'paused' && change.action === 'pause' && (
        <NotSpent campaign={campaign} at={change.at} />
      )}
    </p>
  )
}

type WhyProps = { change: StatusChange; reason: Campaign['status_reason'] }

function Why({ change, reason }: WhyProps) {
  if (change.reason === null) return null
  return change.by?.type === 'system' && change.reason === reason ? (
    <>: {reasonText(change.reason as Parameters<typeof reasonText>[0])}</>
  ) : (
    <>
      , “<bdi>{change.reason}</bdi>”
    </>
  )
}

/** The service answers windows of about two months. */
const mostDays = 60

function NotSpent({ campaign, at }: { campaign: Campaign; at: string }) {
  const now = new Date(useTick().organization).toISOString()
  const { id, version, schedule, time_zone: zone } = campaign
  const span = campaign.launched_at === null ? null : pausedSpan(campaign, { at, now })
  const around = span && daysAround(span, zone)
  const isShort =
    around !== null && Date.parse(around.end) - Date.parse(around.start) < mostDays * 86_400_000
  const { data } = useQuery({
    queryKey: partKey('campaigns', id, 'open while paused', { version, ...around }),
    queryFn: async () => {
      if (!around) return []
      const { start: from, end: to } = around
      return (await flightdeck.campaigns.getSchedule(id, { from, to })).data
    },
    enabled: isShort && schedule.length > 0,
  })
  const open = schedule.length === 0 && around ? [around] : data
  const minor = span && open && isShort ? notSpent(campaign, span, open) : null
  if (minor === null || minor <= 0) return null
  const { currency, currency_exponent: exponent } = campaign
  return (
    <Soft> · about {formatMoney({ minor: roughly(minor), currency, exponent })} not spent</Soft>
  )
}
