import { IconArrowDown, IconPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { readingText } from '../../../data/typed.ts'
import { exponentOf, useCurrencies } from '../../../data/values/currencies.ts'
import { formatMonth } from '../../../data/values/months.ts'
import type { Client } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Form } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import { Money } from '../../../ui/values/money.tsx'
import styles from './plan.module.css'
import {
  cellOf,
  copiedForward,
  currenciesIn,
  noteColumn,
  type PlanValues,
  sumOf,
} from './values.ts'

type PlanTableProps = { client: Client; months: readonly string[]; form: Form<PlanValues> }

/** A row for each month, a column for each currency; every cell is typed into. */
export function PlanTable({ client, months, form }: PlanTableProps) {
  const [added, setAdded] = useState<readonly string[]>([])
  const own = client.currency ?? 'USD'
  const found = currenciesIn(form.values)
  const shown = [...new Set([...(found.length > 0 ? found : [own]), ...added])]
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className="visually-hidden">Budgets of {client.name} by month</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {shown.map((currency) => (
                <th key={currency} scope="col" className={styles.end}>
                  {currency}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">Copy</span>
              </th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <MonthRow key={month} month={month} months={months} currencies={shown} form={form} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">In all</th>
              {shown.map((currency) => (
                <td key={currency} className={styles.end}>
                  <Sum form={form} months={months} currency={currency} />
                </td>
              ))}
              <td colSpan={2} />
            </tr>
          </tfoot>
        </table>
      </div>
      <AddCurrency shown={shown} onAdd={(currency) => setAdded([...added, currency])} />
    </>
  )
}

type MonthRowProps = Omit<PlanTableProps, 'client'> & {
  month: string
  currencies: readonly string[]
}

function MonthRow({ month, months, currencies, form }: MonthRowProps) {
  const blocked = useBlocked('putClientBudget')
  const isLast = month === months.at(-1)
  return (
    <tr>
      <th scope="row">{formatMonth(month)}</th>
      {currencies.map((currency) => (
        <td key={currency}>
          <AmountCell month={month} currency={currency} form={form} isReadOnly={blocked !== null} />
        </td>
      ))}
      <td>
        {!isLast && (
          <IconButton
            small
            name={`Copy ${formatMonth(month)} to the months after it`}
            icon={<IconArrowDown aria-hidden />}
            blocked={blocked}
            onClick={() => form.set(copiedForward(form.values, { month, months, currencies }))}
          />
        )}
      </td>
      <td>
        <NoteCell month={month} form={form} isReadOnly={blocked !== null} />
      </td>
    </tr>
  )
}

type MonthCellProps = { month: string; form: Form<PlanValues>; isReadOnly: boolean }

function AmountCell({ month, currency, form, isReadOnly }: MonthCellProps & { currency: string }) {
  const id = useId()
  const cell = cellOf(month, currency)
  const { value = '', fault, onChange } = form.field(cell)
  const about = fault ?? readingText(value, { currency, was: form.initial[cell] ?? null })
  return (
    <>
      <input
        aria-label={`${formatMonth(month)} in ${currency}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={about ? id : undefined}
        inputMode="decimal"
        autoComplete="off"
        readOnly={isReadOnly}
        className={classes(fieldStyles.input, styles.amount)}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {about && (
        <div
          id={id}
          className={classes(styles.about, fault ? fieldStyles.fault : fieldStyles.reading)}
        >
          {about}
        </div>
      )}
    </>
  )
}

function NoteCell({ month, form, isReadOnly }: MonthCellProps) {
  const { value = '', fault, onChange } = form.field(cellOf(month, noteColumn))
  return (
    <>
      <input
        aria-label={`Note of ${formatMonth(month)}`}
        aria-invalid={fault ? true : undefined}
        readOnly={isReadOnly}
        className={classes(fieldStyles.input, styles.note)}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault && <div className={fieldStyles.fault}>{fault}</div>}
    </>
  )
}

type SumProps = Omit<PlanTableProps, 'client'> & { currency: string }

function Sum({ form, months, currency }: SumProps) {
  const minor = sumOf(form.values, months, currency)
  return <Money minor={minor} currency={currency} exponent={exponentOf(currency) ?? 2} />
}

type AddProps = { shown: readonly string[]; onAdd: (currency: string) => void }

function AddCurrency({ shown, onAdd }: AddProps) {
  const free = useCurrencies().filter(({ currency }) => !shown.includes(currency))
  const common = ['EUR', 'USD', 'GBP'].find((each) =>
    free.some(({ currency }) => currency === each),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const currency = chosen ?? common ?? free[0]?.currency ?? ''
  return (
    <div className={styles.add}>
      <select
        aria-label="Another currency"
        className={fieldStyles.input}
        value={currency}
        onChange={({ target }) => setChosen(target.value)}
      >
        {free.map((each) => (
          <option key={each.currency}>{each.currency}</option>
        ))}
      </select>
      <Button
        small
        icon={<IconPlus aria-hidden />}
        blocked={useBlocked('putClientBudget')}
        onClick={() => {
          onAdd(currency)
          setChosen(null)
        }}
      >
        Add a currency
      </Button>
    </div>
  )
}
