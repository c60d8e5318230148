import { doubtOf, readingText } from '../../data/typed.ts'
import { useCurrencies } from '../../data/values/currencies.ts'
import { classes } from '../classes.ts'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type MoneyProps = Labelled &
  FieldState<string | null> & {
    currency: string | null
    /** The time that it is for, such as `a day`. */
    per?: string
    /** The text that it began with. */
    was?: string | null
  }

/** An amount as it is typed; how it is read stands below. */
export function MoneyField(props: MoneyProps) {
  const { label, hint, optional = false, value, onChange, name, currency, per, was } = props
  useCurrencies()
  const fault = props.fault ?? doubtOf(value, currency)
  const reading = fault ? null : readingText(value, { currency, per, was })
  return (
    <Field
      {...{ label, hint, optional, fault }}
      after={
        reading && (
          <p role="status" className={styles.reading}>
            {reading}
          </p>
        )
      }
    >
      {(parts) => (
        <span className={styles.affix}>
          <input
            {...parts}
            inputMode="decimal"
            autoComplete="off"
            name={name}
            className={classes(styles.input, styles.end)}
            value={value ?? ''}
            onChange={({ target }) => onChange(target.value.trim() === '' ? null : target.value)}
          />
          {currency}
        </span>
      )}
    </Field>
  )
}
