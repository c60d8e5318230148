import { useCurrencies } from '../../data/values/currencies.ts'
import styles from './sentences.module.css'
import type { GuardrailValues } from './values.ts'
import { sentencesOf } from './words.ts'

/** The rules in words, as they are or as they are about to be. */
export function Sentences({ values }: { values: GuardrailValues }) {
  const currencies = useCurrencies()
  const exponentOf = (currency: string) =>
    currencies.find((each) => each.currency === currency)?.exponent ?? 2
  return (
    <ul className={styles.list} aria-label="What the guardrails do" aria-live="polite">
      {sentencesOf(values, exponentOf).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
