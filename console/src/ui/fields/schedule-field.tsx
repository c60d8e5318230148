import { useState } from 'react'
import { days, linesOf, readLines, type Window } from '../../data/values/week.ts'
import { Button } from '../button.tsx'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'
import { WeekGrid } from './week-grid.tsx'

type ScheduleFieldProps = Labelled & FieldState<readonly Window[]> & { disabled?: boolean }

const steps = [
  { name: '1 hour', step: 4 },
  { name: '30 minutes', step: 2 },
  { name: '15 minutes', step: 1 },
]

const everyDay = (start: string, end: string): Window[] => days.map((day) => ({ day, start, end }))
const weekend = ['sat', 'sun']

const presets: readonly { name: string; windows: Window[] }[] = [
  { name: 'Always', windows: [] },
  {
    name: 'Working hours',
    windows: everyDay('09:00', '17:00').filter(({ day }) => !weekend.includes(day)),
  },
  { name: 'Evenings', windows: everyDay('18:00', '23:00') },
  {
    name: 'Weekend',
    windows: everyDay('00:00', '24:00').filter(({ day }) => weekend.includes(day)),
  },
  { name: 'All hours', windows: everyDay('00:00', '24:00') },
]

/** When to deliver in a week: painted, by a preset, or typed to the quarter of an hour. */
export function ScheduleField({
  label,
  hint,
  fault,
  value,
  onChange,
  disabled,
}: ScheduleFieldProps) {
  const [step, setStep] = useState(() => (isOnHours(value) ? 4 : 2))
  return (
    <fieldset className={styles.form} disabled={disabled === true}>
      <legend className={styles.label}>{label}</legend>
      <p role="status" className={fault ? styles.fault : styles.hint}>
        {fault ?? summaryOf(value)} {hint}
      </p>
      {!disabled && (
        <div className={styles.presets}>
          {presets.map(({ name, windows }) => (
            <Button key={name} small onClick={() => onChange(windows)}>
              {name}
            </Button>
          ))}
          <label className={styles.step}>
            Cells of{' '}
            <select
              className={styles.input}
              value={step}
              onChange={({ target }) => setStep(Number(target.value))}
            >
              {steps.map((each) => (
                <option key={each.step} value={each.step}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <WeekGrid
        label={label}
        windows={value}
        onChange={disabled ? undefined : onChange}
        step={step}
      />
      <ExactHours value={value} onChange={onChange} />
    </fieldset>
  )
}

const isOnHours = (windows: readonly Window[]) =>
  windows.every(({ start, end }) => start.endsWith(':00') && end.endsWith(':00'))

function summaryOf(windows: readonly Window[]): string {
  if (windows.length === 0) return 'Open always: no hours are chosen.'
  const minutes = windows.reduce(
    (sum, { start, end }) => sum + minutesOf(end) - minutesOf(start),
    0,
  )
  const hours = Math.round(minutes / 6) / 10
  return `Open ${hours} ${hours === 1 ? 'hour' : 'hours'} a week.`
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

type ExactHoursProps = Pick<ScheduleFieldProps, 'value' | 'onChange'>

/** The same as text, which can be copied from one campaign to another. */
function ExactHours({ value, onChange }: ExactHoursProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const read = typed === null ? null : readLines(typed)
  const isTyped = read !== null && (read.fault || isSame(read.windows, value))
  const type = (text: string) => {
    setTyped(text)
    const { windows, fault } = readLines(text)
    if (!fault) onChange(windows)
  }
  return (
    <Field
      label="Exact hours"
      optional
      hint="A line for some days: Mon–Fri 09:00–17:30, 20:00–22:00"
      fault={isTyped && read.fault ? read.fault : undefined}
    >
      {(parts) => (
        <textarea
          {...parts}
          name="schedule"
          className={styles.input}
          value={isTyped && typed !== null ? typed : linesOf(value).join('\n')}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </Field>
  )
}

const isSame = (one: readonly Window[], other: readonly Window[]) =>
  JSON.stringify(one) === JSON.stringify(other)
