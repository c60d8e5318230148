import { type ComponentProps, useEffect, useRef, useState } from 'react'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type DateInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  type: 'date' | 'datetime-local'
  /** As the browser writes it: `2026-01-12`, `2026-01-12T09:30`; empty is none. */
  value: string
  /** Called with whole dates only, and with none. */
  onChange: (value: string) => void
}

/**
 * A date that others may act on while it is typed. Browsers call the year 0002 after its first digit:
 * what is typed is given away once the year is whole, or on leaving, and is never written over.
 */
export function DateInput({ type, value, onChange, ...rest }: DateInputProps) {
  const [typed, setTyped] = useState(value)
  const given = useRef(value)
  useEffect(() => {
    // Back, a link or "Clear" changed it, not the typing.
    if (value !== given.current) setTyped(value)
    given.current = value
  }, [value])
  const give = (text: string) => {
    setTyped(text)
    if (text === given.current) return
    given.current = text
    onChange(text)
  }
  const change = ({ value: text, validity }: HTMLInputElement) => {
    const isPartial = text === '' ? validity.badInput : !hasWholeYear(text)
    if (isPartial) setTyped(text)
    else give(text)
  }
  return (
    <input
      max={type === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
      {...rest}
      type={type}
      value={typed}
      onChange={({ target }) => change(target)}
      onBlur={({ target }) => leave(target, given.current, give)}
    />
  )
}

/** The year 26 is 2026; where a part is missing, what was there before is shown again. */
function leave(input: HTMLInputElement, before: string, give: (text: string) => void): void {
  const { badInput } = input.validity
  const text = input.value.replace(/^00(?=\d\d-)/, '20')
  const isWhole = text === '' ? !badInput : hasWholeYear(text)
  give(isWhole ? text : before)
  // Parts without the rest are no value to the browser, so that no value takes them away.
  if (badInput) input.value = before
}

const hasWholeYear = (text: string): boolean => /^[1-9]\d{3}-/.test(text)

type DateFieldProps = Labelled & FieldState<string | null>

/** A day with its label; none is null. */
export const DateField = ({
  label,
  hint,
  optional,
  fault,
  value,
  onChange,
  name,
}: DateFieldProps) => (
  <Field {...{ label, hint, fault }} optional={optional ?? false}>
    {(parts) => (
      <DateInput
        {...parts}
        type="date"
        name={name}
        className={styles.input}
        required={!optional}
        value={value ?? ''}
        onChange={(text) => onChange(text || null)}
      />
    )}
  </Field>
)
