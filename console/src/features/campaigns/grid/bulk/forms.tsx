import { doubtOf } from '../../../../data/typed.ts'
import { SelectField, TextField } from '../../../../ui/fields/fields.tsx'
import { LabelsField } from '../../../../ui/fields/labels-field.tsx'
import { MoneyField } from '../../../../ui/fields/money-field.tsx'
import { isPercent } from './amounts.ts'
import type { BudgetChange, LabelsChange } from './change.ts'

type BulkFormProps<Of> = { value: Of; onChange: (value: Of) => void }

const labelModes = [
  { value: 'add', name: 'Add labels' },
  { value: 'remove', name: 'Remove labels' },
  { value: 'set', name: 'Replace all labels' },
] as const

export const noLabels: LabelsChange = { kind: 'labels', mode: 'add', labels: [] }

export const LabelsForm = ({ value, onChange }: BulkFormProps<LabelsChange>) => (
  <>
    <SelectField
      label="Change"
      name="mode"
      fault={undefined}
      choices={labelModes}
      value={value.mode}
      onChange={(mode) => onChange({ ...value, mode })}
    />
    <LabelsField
      label="Labels"
      hint="Enter or a comma ends one."
      name="labels"
      fault={undefined}
      value={value.labels}
      onChange={(labels) => onChange({ ...value, labels })}
    />
  </>
)

const fields = [
  { value: 'daily_budget', name: 'Daily budget' },
  { value: 'lifetime_budget', name: 'Lifetime budget' },
] as const

const ways = [
  { value: 'set', name: 'Set to an amount', mode: 'set', direction: 'up' },
  { value: 'percent up', name: 'Raise by per cent', mode: 'percent', direction: 'up' },
  { value: 'percent down', name: 'Lower by per cent', mode: 'percent', direction: 'down' },
  { value: 'amount up', name: 'Raise by an amount', mode: 'amount', direction: 'up' },
  { value: 'amount down', name: 'Lower by an amount', mode: 'amount', direction: 'down' },
] as const

export const noBudget: BudgetChange = {
  kind: 'budget',
  field: 'daily_budget',
  mode: 'percent',
  direction: 'up',
  percent: '',
  amounts: {},
}

type BudgetFormProps = BulkFormProps<BudgetChange> & { currencies: readonly { currency: string }[] }

export function BudgetForm({ value, onChange, currencies }: BudgetFormProps) {
  const way = ways.find(
    ({ mode, direction }) => mode === value.mode && direction === value.direction,
  )
  return (
    <>
      <SelectField
        label="Budget"
        name="field"
        fault={undefined}
        choices={fields}
        value={value.field}
        onChange={(field) => onChange({ ...value, field })}
      />
      <SelectField
        label="Change"
        name="way"
        fault={undefined}
        choices={ways}
        value={way?.value ?? 'set'}
        onChange={(chosen) => {
          const { mode, direction } = ways.find((each) => each.value === chosen) ?? ways[0]
          onChange({ ...value, mode, direction })
        }}
      />
      {value.mode === 'percent' ? (
        <PercentField value={value} onChange={onChange} />
      ) : (
        <AmountFields value={value} onChange={onChange} currencies={currencies} />
      )}
    </>
  )
}

const PercentField = ({ value, onChange }: BulkFormProps<BudgetChange>) => (
  <TextField
    label="Per cent"
    name="percent"
    hint="Each amount is rounded to the smallest unit of its currency, halves up."
    fault={percentFault(value.percent)}
    value={value.percent}
    onChange={(percent) => onChange({ ...value, percent: percent ?? '' })}
  />
)

function percentFault(typed: string): string | undefined {
  if (typed === '' || isPercent(typed)) return undefined
  return doubtOf(typed, null) ?? 'Is a number with at most 4 decimals, such as 12.5.'
}

function AmountFields({ value, onChange, currencies }: BudgetFormProps) {
  const isMany = currencies.length > 1
  return currencies.map(({ currency }) => (
    <MoneyField
      key={currency}
      label={isMany ? `Amount in ${currency}` : 'Amount'}
      hint={isMany ? 'Left empty, campaigns in it stay as they are.' : undefined}
      name={`amount ${currency}`}
      fault={undefined}
      currency={currency}
      per={value.field === 'daily_budget' ? 'a day' : 'in all'}
      value={value.amounts[currency] ?? null}
      onChange={(amount) =>
        onChange({ ...value, amounts: { ...value.amounts, [currency]: amount ?? '' } })
      }
    />
  ))
}

/** The reason why the change cannot be tried yet. */
export function incomplete(change: LabelsChange | BudgetChange): string | null {
  if (change.kind === 'labels')
    return change.labels.length === 0 && change.mode !== 'set' ? 'It needs a label.' : null
  if (change.mode === 'percent') return isPercent(change.percent) ? null : 'It needs a percentage.'
  const amounts = Object.entries(change.amounts).filter(([, amount]) => amount.trim() !== '')
  if (amounts.some(([currency, amount]) => doubtOf(amount, currency)))
    return 'An amount reads two ways.'
  return amounts.length > 0 ? null : 'It needs an amount.'
}
