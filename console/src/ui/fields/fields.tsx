import { type ComponentProps, type ReactNode, useId } from 'react'
import type { Choice } from '../../data/choices.ts'
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

type NumberProps = Of<number | null> & {
  /** Set where it may have decimals. */
  step?: 'any'
}

/** A number, whole without a `step`; anything else is left for the service to judge. */
export const NumberField = ({ value, onChange, name, step, ...frame }: NumberProps) => (
  <Field {...frameOf(frame)}>
    {(parts) => (
      <input
        {...parts}
        type="number"
        inputMode="decimal"
        step={step}
        name={name}
        className={styles.input}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      />
    )}
  </Field>
)

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
