import { type ReactNode, useState } from 'react'
import { one, useScreenState } from '../../../../data/search.ts'
import { FieldRow, SelectField, TextField } from '../../../../ui/fields/fields.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { isMoney, metrics, nameOfMetric } from './metrics.ts'
import { MoneyBound } from './money-bound.tsx'

const choices = metrics.map((metric) => ({ value: metric, name: nameOfMetric(metric) }))

type MetricFilterProps = {
  /** The one currency that is chosen. */
  currency: string | null
}

/** Bounds of what campaigns cost and return; those of other metrics stay while one is set. */
export function MetricFilter({ currency }: MetricFilterProps) {
  const [search] = useScreenState()
  const isBound = (metric: string) =>
    search[`metric.${metric}_min`] !== undefined || search[`metric.${metric}_max`] !== undefined
  const [metric, setMetric] = useState(() => metrics.find(isBound) ?? 'cpa')
  return (
    <>
      <SelectField
        label="Cost or return"
        optional="understood"
        choices={choices}
        name="metric"
        fault={undefined}
        value={metric}
        onChange={(next) => setMetric(next ?? 'cpa')}
      />
      {isMoney(metric) && currency === null ? (
        <p className={fieldStyles.hint}>
          {nameOfMetric(metric)} is money: choose a currency above.
        </p>
      ) : (
        <FieldRow key={metric}>
          <Bound metric={metric} side="min" currency={currency} />
          <Bound metric={metric} side="max" currency={currency} />
        </FieldRow>
      )}
      <MetricDays />
    </>
  )
}

type BoundProps = { metric: string; side: 'min' | 'max'; currency: string | null }

function Bound({ metric, side, currency }: BoundProps) {
  const name = `metric.${metric}_${side}`
  const label = `${nameOfMetric(metric)} ${side === 'min' ? 'from' : 'to'}`
  return isMoney(metric) ? (
    <MoneyBound label={label} name={name} currency={currency} />
  ) : (
    <NumberBound label={label} name={name} hint={metric === 'ctr' && '0.02 is 2%'} />
  )
}

type NumberBoundProps = { label: string; name: string; hint: ReactNode }

/** The list is filtered once what is typed is a number. */
function NumberBound({ label, name, hint }: NumberBoundProps) {
  const [search, setSearch] = useScreenState()
  const [typed, setTyped] = useState(one(search[name]) ?? null)
  const change = (text: string | null) => {
    setTyped(text)
    if (text === null || /^\d{1,12}(?:\.\d{1,4})?$/.test(text))
      setSearch({ [name]: text ?? undefined })
  }
  return (
    <TextField
      label={label}
      name={name}
      optional="understood"
      hint={hint}
      fault={undefined}
      value={typed}
      onChange={change}
    />
  )
}

const windows = [
  { value: null, name: 'Last 7 days' },
  { value: '14d', name: 'Last 14 days' },
  { value: '30d', name: 'Last 30 days' },
  { value: 'this_month', name: 'This month' },
  { value: 'last_month', name: 'Last month' },
]

/** The days that bounds and orders by a metric are about. */
function MetricDays() {
  const [search, setSearch] = useScreenState()
  return (
    <SelectField
      label="Days of CPA, spend and the like"
      optional="understood"
      choices={windows}
      name="metric_window"
      fault={undefined}
      value={one(search.metric_window) ?? null}
      onChange={(value) => setSearch({ metric_window: value ?? undefined })}
    />
  )
}
