import { choicesOf } from '../../../data/choices.ts'
import { FieldRow, NumberField, SelectField } from '../../../ui/fields/fields.tsx'
import type { FieldState } from '../../../ui/fields/form.ts'
import { isCost, type Metric, metricName } from './words.ts'

/** A target as it is typed; what is missing is for the service to refuse. */
export type TypedTarget = { metric: Metric; value: number | null; window_days: number | null }

const metrics = choicesOf('TargetMetric').map(({ value }) => ({ value, name: metricName(value) }))

const usualDays = 7

const boundName = (metric: string): string =>
  `${metricName(metric)} ${isCost(metric) ? 'at most' : 'at least'}`

type Props = FieldState<TypedTarget | null> & { currency: string | null }

/** A metric with its value and days, or none. */
export function TargetField({ name, value: target, onChange, fault, currency }: Props) {
  const choose = (metric: Metric | null) =>
    onChange(metric && { value: null, window_days: usualDays, ...target, metric })
  return (
    <FieldRow>
      <SelectField
        label="Target"
        optional
        hint="What it is to achieve, judged by its results."
        name={name}
        fault={target ? undefined : fault}
        choices={[{ value: null, name: 'None' }, ...metrics]}
        value={target?.metric ?? null}
        onChange={choose}
      />
      {target && (
        <>
          <NumberField
            label={boundName(target.metric)}
            hint={hintOf(target.metric, currency)}
            step="any"
            name="target_value"
            fault={fault}
            value={target.value}
            onChange={(value) => onChange({ ...target, value })}
          />
          <NumberField
            label="Over days"
            hint="They end yesterday."
            name="target_window_days"
            fault={undefined}
            value={target.window_days}
            onChange={(window_days) => onChange({ ...target, window_days })}
          />
        </>
      )}
    </FieldRow>
  )
}

function hintOf(metric: string, currency: string | null): string | undefined {
  if (isCost(metric)) return currency ? `In ${currency}.` : 'In its currency.'
  return metric === 'ctr' ? 'A fraction: 0.015 is 1.5%.' : undefined
}
