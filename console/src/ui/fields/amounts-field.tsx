import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { readingText } from '../../data/typed.ts'
import { useCurrencies } from '../../data/values/currencies.ts'
import { Button, IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import fieldStyles from '../fields.module.css'
import styles from './amounts-field.module.css'

/** An amount in one currency, as it is typed. */
export type CurrencyAmount = { currency: string; amount: string }

type AmountsFieldProps = {
  label: string
  hint: string
  value: readonly CurrencyAmount[]
  onChange: (value: readonly CurrencyAmount[]) => void
  /** The fault of one currency, or of all. */
  faultOf: (currency: string | null) => string | undefined
}

/** An amount for each of some currencies. */
export function AmountsField({ label, hint, value, onChange, faultOf }: AmountsFieldProps) {
  const id = useId()
  const currencies = useCurrencies().map(({ currency }) => currency)
  const free = currencies.filter((each) => !value.some(({ currency }) => currency === each))
  const replace = (at: number, row: CurrencyAmount) => onChange(value.with(at, row))
  const whole = faultOf(null)
  return (
    <fieldset className={fieldStyles.field} aria-describedby={`${id}-about`}>
      <legend className={fieldStyles.label}>{label}</legend>
      <div className={styles.rows}>
        {value.map((row, at) => (
          <Row
            key={row.currency}
            row={row}
            choices={[row.currency, ...free].sort()}
            fault={faultOf(row.currency)}
            onChange={(next) => replace(at, next)}
            onRemove={() => onChange(value.toSpliced(at, 1))}
          />
        ))}
        <div>
          <Button
            small
            icon={<IconPlus aria-hidden />}
            blocked={free.length === 0 ? 'Every currency has an amount.' : null}
            onClick={() => onChange([...value, { currency: firstOf(free), amount: '' }])}
          >
            Add a currency
          </Button>
        </div>
      </div>
      <div id={`${id}-about`} className={whole ? fieldStyles.fault : fieldStyles.hint}>
        {whole ?? hint}
      </div>
    </fieldset>
  )
}

/** The most common ones first. */
const firstOf = (free: readonly string[]): string =>
  ['USD', 'EUR', 'GBP'].find((each) => free.includes(each)) ?? free[0] ?? ''

type RowProps = {
  row: CurrencyAmount
  choices: readonly string[]
  fault: string | undefined
  onChange: (row: CurrencyAmount) => void
  onRemove: () => void
}

function Row({ row, choices, fault, onChange, onRemove }: RowProps) {
  const id = useId()
  const about = fault ?? readingText(row.amount, { currency: row.currency })
  return (
    <div className={styles.row}>
      <select
        aria-label="Currency"
        className={fieldStyles.input}
        value={row.currency}
        onChange={({ target }) => onChange({ ...row, currency: target.value })}
      >
        {choices.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </select>
      <input
        aria-label={`Amount in ${row.currency}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={about ? id : undefined}
        inputMode="decimal"
        autoComplete="off"
        className={classes(fieldStyles.input, styles.amount)}
        value={row.amount}
        onChange={({ target }) => onChange({ ...row, amount: target.value })}
      />
      <IconButton name={`Remove ${row.currency}`} icon={<IconX aria-hidden />} onClick={onRemove} />
      {about && (
        <span
          id={id}
          className={classes(fault ? fieldStyles.fault : fieldStyles.reading, styles.about)}
        >
          {about}
        </span>
      )}
    </div>
  )
}
