import { useExponent } from '../../data/values/currencies.ts'
import { Money } from '../../ui/values/money.tsx'

/** A profile without a currency has no cap. */
export function Cap({ minor, currency }: { minor: number | null; currency: string | null }) {
  const exponent = useExponent(currency)
  return <Money minor={minor} currency={currency ?? ''} exponent={exponent} />
}
