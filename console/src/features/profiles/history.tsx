import { useExponent } from '../../data/values/currencies.ts'
import { minorOf } from '../../data/values/money.ts'
import { flightdeck, type Profile } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { History } from '../../ui/objects/history.tsx'
import { Money } from '../../ui/values/money.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { Labels } from '../../ui/values/text.tsx'
import { ProxyName } from './details.tsx'

/** Amounts read in the profile's present currency. */
export function ProfileHistory({ profile }: { profile: Profile }) {
  const currency = profile.currency ?? ''
  const exponent = useExponent(profile.currency)
  return (
    <History
      kind="profiles"
      object={profile}
      resource={flightdeck.profiles}
      blocked={useBlocked('revertProfile')}
      reading={{
        names: { daily_budget_cap: 'Daily cap', monthly_spend_cap: 'Monthly cap' },
        hidden: ['daily_budget_cap_minor', 'monthly_spend_cap_minor', 'campaign_counts'],
        show: (field, value) => {
          if (field.endsWith('_cap') && typeof value === 'number') {
            const minor = minorOf(`${value}`, exponent)
            return <Money minor={minor} currency={currency} exponent={exponent} />
          }
          if (field === 'proxy_id' && typeof value === 'string') return <ProxyName id={value} />
          if (field === 'status') return <ProfileStatus status={`${value}`} />
          if (field === 'labels' && Array.isArray(value)) return <Labels labels={value} />
          return undefined
        },
      }}
    />
  )
}
