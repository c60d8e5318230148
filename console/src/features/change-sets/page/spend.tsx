import { formatMoney } from '../../../data/values/money.ts'
import type { Schema } from '../../../flightdeck.ts'
import { Soft } from '../../../ui/values/text.tsx'
import styles from '../change-sets.module.css'

type SpendDelta = Schema<'SpendDelta'>

/** `USD +120.00 a day`, for each currency and kind of budget that changes. */
export function Spend({ deltas }: { deltas: readonly SpendDelta[] }) {
  const parts = deltas.flatMap(partsOf)
  if (parts.length === 0) return <Soft>Running budgets stay as they are.</Soft>
  return (
    <span className={styles.spend}>
      {parts.map(({ text, raises }) => (
        <span key={text} className={raises ? styles.raises : styles.lowers}>
          {text}
        </span>
      ))}
    </span>
  )
}

const kinds = [
  ['daily', 'a day'],
  ['lifetime', 'in all'],
] as const

function partsOf(delta: SpendDelta) {
  const { currency, currency_exponent: exponent } = delta
  return kinds.flatMap(([kind, unit]) => {
    const minor = delta[`${kind}_after_minor`] - delta[`${kind}_before_minor`]
    if (minor === 0) return []
    const amount = formatMoney({ minor: Math.abs(minor), currency, exponent })
    return [{ text: `${minor > 0 ? '+' : '−'} ${amount} ${unit}`, raises: minor > 0 }]
  })
}
