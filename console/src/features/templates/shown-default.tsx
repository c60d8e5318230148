import type { ReactNode } from 'react'
import { nameOf } from '../../data/choices.ts'
import { useExponent } from '../../data/values/currencies.ts'
import { minorOf } from '../../data/values/money.ts'
import { scheduleText } from '../../data/values/week.ts'
import type { Template } from '../../flightdeck.ts'
import { Money } from '../../ui/values/money.tsx'
import { Cut, Labels } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { plainText } from '../../ui/values/values.ts'
import { ProfileName } from '../campaigns/terms.tsx'
import type { Default } from './defaults.ts'

/** How the default of a field reads: amounts in its currency, if it has one, times in its zone. */
export function useShownDefault(defaults: Template['defaults']): (field: Default) => ReactNode {
  const { currency, time_zone: zone = 'UTC', profile_id, objective, schedule, labels } = defaults
  const exponent = useExponent(currency ?? null)
  return (field) => {
    switch (field) {
      case 'daily_budget':
      case 'lifetime_budget':
        return <Amount amount={defaults[field]} currency={currency} exponent={exponent} />
      case 'profile_id':
        return profile_id && <ProfileName id={profile_id} />
      case 'objective':
        return objective && nameOf(objective)
      case 'schedule':
        return schedule && scheduleText(schedule)
      case 'labels':
        return labels && <Labels labels={labels} />
      case 'start_at':
      case 'end_at':
        return <Time time={defaults[field] ?? null} zone={zone} />
      default:
        return <Cut text={plainText(defaults[field])} />
    }
  }
}

type AmountProps = { amount: unknown; currency: string | undefined; exponent: number }

/** Without a currency, the campaign's own will be that of its profile. */
const Amount = ({ amount, currency, exponent }: AmountProps) =>
  currency ? (
    <Money minor={minorOf(`${amount}`, exponent)} currency={currency} exponent={exponent} />
  ) : (
    `${amount}`
  )
