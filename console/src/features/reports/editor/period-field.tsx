import { addDays } from '../../../data/values/time.ts'
import { DateField } from '../../../ui/fields/date-input.tsx'
import { SelectField } from '../../../ui/fields/fields.tsx'
import type { FieldState } from '../../../ui/fields/form.ts'
import { type NamedPeriod, periods } from '../words.ts'
import type { ReportValues } from './values.ts'

type Period = ReportValues['period']
type PeriodFieldProps = FieldState<Period>

const choices = [...periods, { value: 'days', name: 'Days of your choice' }] as const

/** A period that moves on, or days that stay. */
export function PeriodField({ value, onChange, fault, name }: PeriodFieldProps) {
  const isNamed = typeof value === 'string'
  const choose = (next: NamedPeriod | 'days') => onChange(next === 'days' ? lastDays() : next)
  return (
    <>
      <SelectField
        label="Period"
        choices={choices}
        name={name}
        fault={isNamed ? fault : undefined}
        value={periods.find((period) => period.value === value)?.value ?? 'days'}
        onChange={choose}
      />
      {!isNamed && (
        <>
          <DateField
            label="First day"
            name="from"
            fault={fault}
            value={value.from}
            onChange={(from) => from && onChange({ ...value, from })}
          />
          <DateField
            label="Last day"
            name="until"
            fault={undefined}
            value={addDays(value.to, -1)}
            onChange={(last) => last && onChange({ ...value, to: addDays(last, 1) })}
          />
        </>
      )}
    </>
  )
}

/** Days to begin with. */
function lastDays(): Exclude<Period, string> {
  const today = new Date().toISOString().slice(0, 10)
  return { from: addDays(today, -30), to: today }
}
