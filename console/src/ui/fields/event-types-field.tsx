import { useId, useState } from 'react'
import { type EventGroup, groupsOf, isIn, useEventTypes } from '../../data/events/types.ts'
import { finderOf } from '../../data/finder.ts'
import { words } from '../../data/words.ts'
import fieldStyles from '../fields.module.css'
import { Prose } from '../values/text.tsx'
import styles from './event-types-field.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type Patterns = readonly string[]

type EventTypesProps = Labelled &
  FieldState<Patterns> & {
    /** Set if nothing chosen means all of them. */
    isFilter?: boolean
  }

/** Event types, one by one or by group: `campaign.paused`, `campaign.*`, `*`. */
export function EventTypesField(props: EventTypesProps) {
  const { label, hint, fault, value, onChange } = props
  const [typed, setTyped] = useState('')
  const isSought = finderOf(typed)
  const groups = groupsOf(useEventTypes())
  const shown = groups.flatMap((group) => matching(group, isSought))
  return (
    <Field {...{ label, fault }} hint={hint ?? summary(value)} optional={props.optional === true}>
      {(parts) => (
        <div className={styles.field}>
          <input
            {...parts}
            type="search"
            placeholder="Find event types"
            className={fieldStyles.input}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <div className={styles.groups}>
            {typed.trim() === '' && !props.isFilter && (
              <Choice
                pattern="*"
                name="All events"
                about="Also those of later versions."
                {...{ value, onChange }}
              />
            )}
            {shown.map((group) => (
              <Group key={group.resource} group={group} {...{ value, onChange }} />
            ))}
            {shown.length === 0 && <p className={fieldStyles.hint}>No event type matches.</p>}
          </div>
        </div>
      )}
    </Field>
  )
}

function summary(value: Patterns): string {
  if (value.length === 0) return 'None chosen.'
  return `Chosen: ${value.includes('*') ? 'all events' : value.join(', ')}.`
}

function matching(
  { resource, types }: EventGroup,
  isSought: (text: string) => boolean,
): readonly EventGroup[] {
  const found = types.filter(({ type, description }) => isSought(`${type} ${description}`))
  return found.length === 0 ? [] : [{ resource, types: found }]
}

type Chosen = { value: Patterns; onChange: (value: Patterns) => void }

const Group = ({ group, ...chosen }: { group: EventGroup } & Chosen) => (
  <fieldset>
    <legend className="visually-hidden">{words(group.resource)}</legend>
    <Choice
      pattern={`${group.resource}.*`}
      name={words(group.resource)}
      about={`All of ${group.resource}.*`}
      {...chosen}
    />
    <div className={styles.types}>
      {group.types.map(({ type, description }) => (
        <Choice key={type} pattern={type} name={type} about={description} {...chosen} />
      ))}
    </div>
  </fieldset>
)

type ChoiceProps = { pattern: string; name: string; about: string } & Chosen

function Choice({ pattern, name, about, value, onChange }: ChoiceProps) {
  const id = useId()
  const isChosen = value.includes(pattern)
  /** By a pattern that stands for more. */
  const isIncluded = isIn(
    pattern,
    value.filter((each) => each !== pattern),
  )
  const toggle = () =>
    onChange(
      isChosen
        ? value.filter((each) => each !== pattern)
        : [...value.filter((each) => !isIn(each, [pattern])), pattern],
    )
  return (
    <div className={fieldStyles.check}>
      <input
        id={id}
        type="checkbox"
        checked={isChosen || isIncluded}
        disabled={isIncluded}
        aria-describedby={`${id}-about`}
        onChange={toggle}
      />
      <div>
        <label htmlFor={id}>{name}</label>
        <div id={`${id}-about`} className={fieldStyles.hint}>
          <Prose text={about} />
        </div>
      </div>
    </div>
  )
}
