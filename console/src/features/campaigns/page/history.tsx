import { actorText } from '../../../data/values/actor.ts'
import { minorOf } from '../../../data/values/money.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { lazyPart } from '../../../ui/lazily.tsx'
import type { Reading } from '../../../ui/objects/diff.tsx'
import { History } from '../../../ui/objects/history.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { CampaignStatus } from '../../../ui/values/object-status.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { fieldNames } from '../form/values.ts'
import { reasonText } from '../reasons.ts'
import { ProfileName } from '../terms.tsx'

const TargetShown = lazyPart(() => import('../target/target-shown.tsx'))

export const CampaignHistory = ({ campaign }: { campaign: Campaign }) => (
  <History
    kind="campaigns"
    object={campaign}
    resource={flightdeck.campaigns}
    reading={readingOf(campaign)}
    blocked={useBlocked('revertCampaign')}
  />
)

/** How values of a campaign read; its currency and zone are those of now. */
const readingOf = (campaign: Campaign): Reading => ({
  names: {
    ...fieldNames,
    status_reason: 'Why',
    status_change: 'Who and why',
    approved: 'Approved terms',
  },
  hidden: ['daily_budget_minor', 'lifetime_budget_minor', 'currency_exponent'],
  show: (field, value) => {
    const { currency, currency_exponent, time_zone } = campaign
    if (field.endsWith('_budget') && typeof value === 'number') {
      const minor = minorOf(`${value}`, currency_exponent)
      return <Money minor={minor} currency={currency} exponent={currency_exponent} />
    }
    if (typeof value === 'string' && field === 'profile_id') return <ProfileName id={value} />
    if (typeof value === 'string' && field === 'status') return <CampaignStatus status={value} />
    // Its plan is shown on its own clock, and what was done on the reader's.
    if (typeof value === 'string' && planned.has(field))
      return <Time time={value} zone={time_zone} />
    if (field === 'target' && isTarget(value))
      return <TargetShown target={value} campaign={campaign} />
    return texts[field]?.(value)
  },
})

const isTarget = (value: unknown): value is NonNullable<Campaign['target']> =>
  typeof value === 'object' && value !== null && 'metric' in value

const planned = new Set(['start_at', 'end_at'])

const texts: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  status_change: (value) => changeText(value),
  delivery: (value) => deliveryText(value),
  review: (value) => termsText(value),
  approved: (value) => termsText(value),
}

const isDelivery = (value: unknown): value is Campaign['delivery'] =>
  typeof value === 'object' && value !== null && 'reasons' in value

const deliveryText = (value: unknown) => {
  if (!isDelivery(value)) return undefined
  return value.reasons.length === 0 ? 'Delivers' : value.reasons.map(reasonText).join(' ')
}

const changeText = (value: unknown) => {
  if (typeof value !== 'object' || value === null || !('by' in value)) return undefined
  const { by, reason } = value as NonNullable<Campaign['status_change']>
  return [actorText(by), reason].filter(Boolean).join(': ')
}

/** The state of terms; their details are shown elsewhere. */
const termsText = (value: unknown) =>
  typeof value === 'object' && value !== null && 'state' in value ? `${value.state}` : undefined
