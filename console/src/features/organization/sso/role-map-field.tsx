import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { choicesOf } from '../../../data/choices.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { FieldState } from '../../../ui/fields/form.ts'
import styles from '../../../ui/fields.module.css'
import type { RoleMap } from './values.ts'

type Role = RoleMap[string]
type MappedRow = { id: number; value: string; role: Role }

let lastId = 0
const rowOf = (value: string, role: Role): MappedRow => {
  lastId += 1
  return { id: lastId, value, role }
}

const roles = choicesOf('SsoRole')

/** The role that each value of the claim gives. A row without a value does not count. */
export function RoleMapField({ value, onChange, fault }: FieldState<RoleMap>) {
  const [rows, setRows] = useState(() =>
    Object.entries(value).map(([text, role]) => rowOf(text, role)),
  )
  const change = (next: readonly MappedRow[]) => {
    setRows([...next])
    const named = next.filter((row) => row.value !== '')
    onChange(Object.fromEntries(named.map((row) => [row.value, row.role])))
  }
  const edit = (row: MappedRow, changes: Partial<MappedRow>) =>
    change(rows.map((each) => (each === row ? { ...each, ...changes } : each)))
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>Roles by value</legend>
      {rows.map((row, at) => (
        <MappedRole
          key={row.id}
          row={row}
          name={row.value || `value ${at + 1}`}
          isFaulty={fault !== undefined}
          onEdit={(changes) => edit(row, changes)}
          onRemove={() => change(rows.filter((each) => each !== row))}
        />
      ))}
      <div>
        <Button
          small
          icon={<IconPlus aria-hidden />}
          onClick={() => change([...rows, rowOf('', 'viewer')])}
        >
          Add a value
        </Button>
      </div>
      <div className={fault ? styles.fault : styles.hint}>
        {fault ?? 'Such as a group of your provider. Of several the highest role holds.'}
      </div>
    </fieldset>
  )
}

type MappedRoleProps = {
  row: MappedRow
  name: string
  isFaulty: boolean
  onEdit: (changes: Partial<MappedRow>) => void
  onRemove: () => void
}

const MappedRole = ({ row, name, isFaulty, onEdit, onRemove }: MappedRoleProps) => (
  <div className={styles.pair}>
    <input
      aria-label={`Value: ${name}`}
      aria-invalid={isFaulty || undefined}
      placeholder="value"
      className={styles.input}
      value={row.value}
      onChange={({ target }) => onEdit({ value: target.value })}
    />
    <select
      aria-label={`Role of ${name}`}
      className={styles.input}
      value={row.role}
      onChange={({ target }) => {
        const chosen = roles.find(({ value }) => value === target.value)
        if (chosen) onEdit({ role: chosen.value })
      }}
    >
      {roles.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
    <IconButton name={`Remove ${name}`} icon={<IconX aria-hidden />} onClick={onRemove} />
  </div>
)
