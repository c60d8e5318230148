import { useState } from 'react'
import { instantOf, instantsOf, wallOf } from '../../data/values/time.ts'
import { Button } from '../button.tsx'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type TimeProps = Labelled & FieldState<string | null> & { zone: string }

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
