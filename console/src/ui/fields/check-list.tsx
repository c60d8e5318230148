import { useId, useState } from 'react'
import type { Choice } from '../../data/choices.ts'
import { finderOf } from '../../data/finder.ts'
import { many, useScreenState } from '../../data/search.ts'
import fieldStyles from '../fields.module.css'
import styles from './check-list.module.css'

type CheckListProps = {
  /** In the address. */
  name: string
  label: string
  choices: readonly Choice[]
}

/** With more than these, one types to find. */
const fewChoices = 12
const mostShown = 50

/** A filter that takes any of several values. */
export function CheckList({ name, label, choices }: CheckListProps) {
  const [search, setSearch] = useScreenState()
  const [typed, setTyped] = useState('')
  const id = useId()
  const chosen = many(search[name])
  const isSought = finderOf(typed)
  const matching = choices.filter(
    (choice) => chosen.includes(choice.value) || isSought(choice.name),
  )
  const toggle = (value: string) => {
    const next = chosen.includes(value)
      ? chosen.filter((each) => each !== value)
      : [...chosen, value]
    setSearch({ [name]: next.length > 0 ? next : undefined })
  }
  return (
    <fieldset className={styles.list}>
      <legend className="visually-hidden">{label}</legend>
      {choices.length > fewChoices && (
        <input
          type="search"
          aria-label={`Find in ${label.toLowerCase()}`}
          placeholder="Find…"
          className={fieldStyles.input}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {matching.slice(0, mostShown).map((choice) => (
        <div key={choice.value} className={styles.choice}>
          <input
            id={`${id}-${choice.value}`}
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={() => toggle(choice.value)}
          />
          <label htmlFor={`${id}-${choice.value}`}>{choice.name}</label>
        </div>
      ))}
      {matching.length === 0 && <p className={styles.none}>Nothing to choose from.</p>}
      {matching.length > mostShown && (
        <p className={styles.none}>{matching.length - mostShown} more: type to find them.</p>
      )}
    </fieldset>
  )
}
