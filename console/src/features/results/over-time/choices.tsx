import { one, useScreenState } from '../../../data/search.ts'
import { dayMs } from '../../../data/values/time.ts'
import { classes } from '../../../ui/classes.ts'
import fieldStyles from '../../../ui/fields.module.css'
import styles from './over-time.module.css'
import { type Measure, measures, type Step, steps } from './points.ts'
import { type Chosen, type Comparison, comparisons } from './queries.ts'
import { measureNames, type Unit } from './words.ts'

/** How the results are drawn, as the address has it. */
export type Choices = {
  measure: Measure
  step: Step
  compare: Comparison | null
  /** Whether platforms stand apart. */
  isSplit: boolean
  /** Null while there is nothing in any currency. */
  unit: Unit | null
}

/** The names of the choices in the address. */
const names = {
  measure: 'chart',
  step: 'by',
  compare: 'beside',
  split: 'split',
  currency: 'chart_currency',
} as const

/** Amounts of two currencies are never in one chart. */
export function useChoices(units: readonly Unit[]): Choices {
  const [search] = useScreenState()
  const chosen = (name: keyof typeof names) => one(search[names[name]])
  const unit = units.find(({ currency }) => currency === chosen('currency')) ?? units[0] ?? null
  return {
    measure: measures.find((each) => each === chosen('measure')) ?? 'spend',
    step: steps.find((each) => each === chosen('step')) ?? 'day',
    compare: comparisons.find((each) => each === chosen('compare')) ?? null,
    isSplit: chosen('split') === 'platform',
    unit,
  }
}

const stepNames: Readonly<Record<Step, string>> = {
  day: 'By day',
  week: 'By week',
  month: 'By month',
}

const comparisonNames: Readonly<Record<Comparison, string>> = {
  previous_period: 'The days before',
  previous_year: 'A year before',
}

/** The service shows days of groups for at most as many. */
const mostSplitDays = 400

type ChooseProps = { choices: Choices; units: readonly Unit[]; days: Chosen['days'] }

export function ChooseHow({ choices, units, days }: ChooseProps) {
  const { measure, step, compare, isSplit, unit } = choices
  const length = (Date.parse(days.to) - Date.parse(days.from)) / dayMs
  const beside = comparisons.map((value) => ({ value, name: comparisonNames[value] }))
  return (
    <div className={styles.choices}>
      <Choice
        label="Shown over time"
        name={names.measure}
        value={measure}
        options={measures.map((value) => ({ value, name: measureNames[value] }))}
      />
      <Choice
        label="Added up"
        name={names.step}
        value={step}
        options={steps.map((value) => ({ value, name: stepNames[value] }))}
      />
      <Choice
        label="Compared with"
        name={names.compare}
        value={compare ?? ''}
        options={[{ value: '', name: 'Not compared' }, ...beside]}
      />
      {(isSplit || length <= mostSplitDays) && (
        <Choice
          label="Parts"
          name={names.split}
          value={isSplit ? 'platform' : ''}
          options={[
            { value: '', name: 'All platforms as one' },
            { value: 'platform', name: 'By platform' },
          ]}
        />
      )}
      {units.length > 1 && (
        <Choice
          label="Currency of the chart"
          name={names.currency}
          value={unit?.currency ?? ''}
          options={units.map(({ currency }) => ({ value: currency, name: currency }))}
        />
      )}
    </div>
  )
}

type ChoiceProps = {
  label: string
  name: string
  value: string
  options: readonly { value: string; name: string }[]
}

function Choice({ label, name, value, options }: ChoiceProps) {
  const [, setSearch] = useScreenState()
  return (
    <select
      aria-label={label}
      className={classes(fieldStyles.input, styles.narrow)}
      value={value}
      onChange={({ target }) => setSearch({ [name]: target.value || undefined })}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  )
}
