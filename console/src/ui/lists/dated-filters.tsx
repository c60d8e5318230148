import { useId } from 'react'
import { one, useScreenState } from '../../data/search.ts'
import { instantOf, ownZone, wallOf } from '../../data/values/time.ts'
import { classes } from '../classes.ts'
import { DateInput } from '../fields/date-input.tsx'
import fieldStyles from '../fields.module.css'
import styles from './filters.module.css'

/** A time on the reader's own clock, or a day, whatever the clock. */
export type DatedFilter = { name: string; label: string }

type DatedType = 'date' | 'datetime-local'

type DatedFiltersProps = { filters: readonly DatedFilter[]; type: DatedType }

/** From and until, beside each other. */
export default function DatedFilters({ filters, type }: DatedFiltersProps) {
  return (
    <div className={styles.times}>
      {filters.map((filter) => (
        <DatedBox key={filter.name} {...filter} type={type} />
      ))}
    </div>
  )
}

/** Translates between the address and the text of a field. */
type Shown = { shownOf: (value: string) => string; givenOf: (shown: string) => string }

type DatedProps = DatedFilter & { type: DatedType }

function DatedBox({ name, label, type }: DatedProps) {
  const { shownOf, givenOf } = type === 'date' ? asItIs : onOwnClock
  const [search, setSearch] = useScreenState()
  const id = useId()
  const value = one(search[name])
  return (
    <div className={styles.time}>
      <label htmlFor={id}>{label}</label>
      <DateInput
        id={id}
        type={type}
        className={classes(fieldStyles.input, styles.select, value && styles.active)}
        value={value === undefined ? '' : shownOf(value)}
        onChange={(shown) => setSearch({ [name]: shown === '' ? undefined : givenOf(shown) })}
      />
    </div>
  )
}

const onOwnClock: Shown = {
  shownOf: (instant) => wallOf(instant, ownZone),
  givenOf: (wall) => instantOf(wall, ownZone),
}
const asItIs: Shown = { shownOf: (day) => day, givenOf: (day) => day }
