import { choicesOf } from '../../../data/choices.ts'
import type { FieldState } from '../../../ui/fields/form.ts'
import { PairsField, type PairValue } from '../../../ui/fields/pairs-field.tsx'
import styles from '../../../ui/fields.module.css'
import type { RoleMap } from './values.ts'

type Role = RoleMap[string]

const roles = choicesOf('SsoRole')

/** The role that each value of the claim gives. */
export const RoleMapField = (props: FieldState<RoleMap>) => (
  <PairsField<Role>
    {...props}
    label="Roles by value"
    hint="Such as a group of your provider. Of several the highest role holds."
    noun="value"
    empty="viewer"
    editor={(pair) => <RoleChoice {...pair} />}
  />
)

const RoleChoice = ({ of, value, isFaulty, onChange }: PairValue<Role>) => (
  <select
    aria-label={`Role of ${of}`}
    aria-invalid={isFaulty || undefined}
    className={styles.input}
    value={value}
    onChange={({ target }) => {
      const chosen = roles.find((each) => each.value === target.value)
      if (chosen) onChange(chosen.value)
    }}
  >
    {roles.map((each) => (
      <option key={each.value} value={each.value}>
        {each.name}
      </option>
    ))}
  </select>
)
