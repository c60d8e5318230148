import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { classes } from '../classes.ts'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

/** Labels: Enter or a comma ends one, Backspace takes the last away. */
export function LabelsField({
  label,
  hint,
  optional,
  fault,
  value,
  onChange,
  name,
}: Labelled & FieldState<readonly string[]>) {
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const found = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    if (found.length > 0) onChange([...new Set([...value, ...found])])
    setTyped('')
  }
  const onKey = (event: KeyboardEvent) => {
    const endsLabel = event.key === ',' || (event.key === 'Enter' && typed.trim() !== '')
    if (endsLabel) {
      event.preventDefault()
      add(typed)
    }
    if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
  }
  return (
    <Field {...{ label, hint, fault }} optional={optional ?? false}>
      {(parts) => (
        <div className={classes(styles.input, styles.chips)}>
          {value.map((each) => (
            <span key={each} className={styles.chip}>
              {each}
              <button
                type="button"
                aria-label={`Remove ${each}`}
                onClick={() => onChange(value.filter((other) => other !== each))}
              >
                <IconX aria-hidden />
              </button>
            </span>
          ))}
          <input
            {...parts}
            name={name}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={onKey}
            onBlur={() => add(typed)}
          />
        </div>
      )}
    </Field>
  )
}
