import { useId } from 'react'
import type { Choice } from '../../../data/choices.ts'
import type { FieldState } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import styles from './editor.module.css'

type CheckGroupProps = FieldState<readonly string[]> & {
  label: string
  choices: readonly Choice[]
}

/** Any of several values; none is all of them. */
export function CheckGroup({ label, choices, value, onChange, fault, name }: CheckGroupProps) {
  const id = useId()
  const toggle = (one: string) =>
    onChange(value.includes(one) ? value.filter((each) => each !== one) : [...value, one])
  return (
    <fieldset className={fieldStyles.field}>
      <legend className={fieldStyles.label}>
        {label} <span className={fieldStyles.optional}>(optional)</span>
      </legend>
      <div className={styles.checks}>
        {choices.map((choice) => (
          <div key={choice.value} className={fieldStyles.check}>
            <input
              id={`${id}-${choice.value}`}
              type="checkbox"
              name={name}
              checked={value.includes(choice.value)}
              onChange={() => toggle(choice.value)}
            />
            <label htmlFor={`${id}-${choice.value}`}>{choice.name}</label>
          </div>
        ))}
      </div>
      {fault && <span className={fieldStyles.fault}>{fault}</span>}
    </fieldset>
  )
}
