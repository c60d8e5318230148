import { words } from '../../../data/words.ts'
import { Money } from '../../../ui/values/money.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { plainText } from '../../../ui/values/values.ts'

export type Facts = { currency: string; currency_exponent: number; time_zone: string }

type ChangedValueProps = { field: string; value: unknown; facts: Facts | undefined }

/** A value as its object shows it: amounts in its currency, times in its zone. */
export function ChangedValue({ field, value, facts }: ChangedValueProps) {
  if (facts && typeof value === 'number' && field.endsWith('_minor')) {
    return <Money minor={value} currency={facts.currency} exponent={facts.currency_exponent} />
  }
  if (typeof value === 'string' && field.endsWith('_at') && !Number.isNaN(Date.parse(value))) {
    return <Time time={value} {...(facts && { zone: facts.time_zone })} />
  }
  if (field === 'status' && typeof value === 'string') return words(value)
  return plainText(value)
}
