import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import type { Choice } from '../../data/choices.ts'
import { instantOf, instantsOf, wallOf } from '../../data/values/time.ts'
import { Button } from '../button.tsx'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type Of<Value> = Labelled & FieldState<Value>

/** The parts around each control. */
type Framed = Pick<Of<never>, 'label' | 'hint' | 'fault' | 'optional'>
const frameOf = ({ label, hint, fault, optional = false }: Framed) => ({
  label,
  hint,
  fault,
  optional,
})

type TextProps = Of<string | null> &
  Pick<
    ComponentProps<'input'>,
    'type' | 'placeholder' | 'autoComplete' | 'autoFocus' | 'list' | 'readOnly'
  >

/** One line of text. Empty is null where the field is optional. */
export const TextField = ({
  label,
  hint,
  optional,
  fault,
  value,
  onChange,
  name,
  ...rest
}: TextProps) => (
  <Field {...{ label, hint, fault }} optional={optional ?? false}>
    {(parts) => (
      <input
        {...parts}
        {...rest}
        name={name}
        className={styles.input}
        required={!optional}
        value={value ?? ''}
        onChange={({ target }) => onChange(optional && target.value === '' ? null : target.value)}
      />
    )}
  </Field>
)

/** Some lines of text. */
export const LongTextField = ({ optional, value, onChange, name, ...frame }: TextProps) => (
  <Field {...frameOf({ ...frame, optional })}>
    {(parts) => (
      <textarea
        {...parts}
        name={name}
        className={styles.input}
        value={value ?? ''}
        onChange={({ target }) => onChange(optional && target.value === '' ? null : target.value)}
      />
    )}
  </Field>
)

type SelectProps<Value extends string | null> = Of<Value> & {
  choices: readonly Choice<Value>[]
  disabled?: boolean
}

export const SelectField = <Value extends string | null>({
  value,
  onChange,
  name,
  choices,
  disabled,
  ...frame
}: SelectProps<Value>) => (
  <Field {...frameOf(frame)}>
    {(parts) => (
      <select
        {...parts}
        name={name}
        className={styles.input}
        disabled={disabled === true}
        value={value ?? ''}
        onChange={({ target }) => {
          const chosen = choices.find((choice) => (choice.value ?? '') === target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value ?? ''}>
            {choice.name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** A whole number; anything else is left for the service to judge. */
export const NumberField = ({ value, onChange, name, ...frame }: Of<number | null>) => (
  <Field {...frameOf(frame)}>
    {(parts) => (
      <input
        {...parts}
        type="number"
        inputMode="numeric"
        name={name}
        className={styles.input}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      />
    )}
  </Field>
)

type TimeProps = Of<string | null> & { zone: string }

/** A time on the wall clock of a zone. Where its clocks skip or repeat it, that is said. */
export function TimeField({
  label,
  hint,
  optional,
  fault,
  value,
  onChange,
  name,
  zone,
}: TimeProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const isTyped = typed !== null && value !== null && instantOf(typed, zone) === value
  const wall = value === null ? '' : wallOf(value, zone)
  const change = (text: string) => {
    setTyped(text)
    onChange(text === '' ? null : instantOf(text, zone))
  }
  return (
    <Field
      {...{ label, fault }}
      hint={hint ?? `On the clock of ${zone}`}
      optional={optional ?? false}
      after={
        value !== null && (
          <ClockNote typed={isTyped ? typed : wall} zone={zone} value={value} onChange={onChange} />
        )
      }
    >
      {(parts) => (
        <input
          {...parts}
          type="datetime-local"
          name={name}
          className={styles.input}
          value={isTyped ? typed : wall}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  )
}

type ClockNoteProps = {
  typed: string
  zone: string
  value: string
  onChange: (time: string) => void
}

/** Said where clocks skip the time or show it twice. */
function ClockNote({ typed, zone, value, onChange }: ClockNoteProps) {
  const instants = instantsOf(typed, zone)
  const [first, second] = instants
  if (instants.length === 1) return null
  if (first === undefined || second === undefined) {
    return (
      <p role="status" className={styles.hint}>
        Clocks skip {typed.slice(11)} on that day: it is {wallOf(value, zone).slice(11)}.
      </p>
    )
  }
  const isFirst = value === first
  return (
    <p role="status" className={styles.hint}>
      Clocks show {typed.slice(11)} twice on that day: this is the {isFirst ? 'first' : 'second'}.{' '}
      <Button small onClick={() => onChange(isFirst ? second : first)}>
        Take the {isFirst ? 'second' : 'first'}
      </Button>
    </p>
  )
}

type CheckProps = Omit<Of<boolean>, 'optional'>

export function CheckField({ label, hint, fault, value, onChange, name }: CheckProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={value}
          aria-describedby={`${id}-about`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      <div id={`${id}-about`} className={fault ? styles.fault : styles.hint}>
        {fault ?? hint}
      </div>
    </div>
  )
}

/** Fields side by side where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
)
