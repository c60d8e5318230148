import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import styles from '../fields.module.css'
import type { Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type Metadata = Readonly<Record<string, string>>
type MetadataRow = { id: number; key: string; text: string }

const recordOf = (rows: readonly MetadataRow[]): Metadata =>
  Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, text }) => [key, text]))

const isSame = (one: Metadata, other: Metadata) => JSON.stringify(one) === JSON.stringify(other)

let lastId = 0
const rowOf = (key: string, text: string): MetadataRow => {
  lastId += 1
  return { id: lastId, key, text }
}

const rowsOf = (value: Metadata) => Object.entries(value).map(([key, text]) => rowOf(key, text))

/** Keys and values of one's own. A row without a key counts only once it has one. */
export function MetadataField({
  label,
  hint,
  fault,
  value,
  onChange,
}: Labelled & FieldState<Metadata>) {
  const id = useId()
  const [typed, setTyped] = useState(() => rowsOf(value))
  const rows = isSame(recordOf(typed), value) ? typed : rowsOf(value)
  const change = (next: readonly MetadataRow[]) => {
    setTyped([...next])
    onChange(recordOf(next))
  }
  const edit = (row: MetadataRow, changes: Partial<MetadataRow>) =>
    change(rows.map((each) => (each.id === row.id ? { ...each, ...changes } : each)))
  const twice = rows.find(
    ({ key }, at) => key !== '' && rows.findIndex((row) => row.key === key) < at,
  )
  const said = fault ?? (twice && `The key ${twice.key} is there twice: the last one counts.`)
  return (
    <fieldset className={styles.field} aria-describedby={`${id}-about`}>
      <legend className={styles.label}>
        {label} <span className={styles.optional}>(optional)</span>
      </legend>
      {rows.map((row, at) => (
        <Pair
          key={row.id}
          row={row}
          number={at + 1}
          isFaulty={said !== undefined}
          onEdit={(changes) => edit(row, changes)}
          onRemove={() => change(rows.filter((each) => each !== row))}
        />
      ))}
      <div>
        <Button
          small
          icon={<IconPlus aria-hidden />}
          onClick={() => change([...rows, rowOf('', '')])}
        >
          Add a key
        </Button>
      </div>
      <div id={`${id}-about`} className={said ? styles.fault : styles.hint}>
        {said ?? hint}
      </div>
    </fieldset>
  )
}

type PairProps = {
  row: MetadataRow
  number: number
  isFaulty: boolean
  onEdit: (changes: Partial<MetadataRow>) => void
  onRemove: () => void
}

const Pair = ({ row: { key, text }, number, isFaulty, onEdit, onRemove }: PairProps) => (
  <div className={styles.pair}>
    <input
      aria-label={`Key ${number}`}
      aria-invalid={isFaulty || undefined}
      placeholder="key"
      className={styles.input}
      value={key}
      onChange={({ target }) => onEdit({ key: target.value })}
    />
    <input
      aria-label={`Value of ${key || `key ${number}`}`}
      aria-invalid={isFaulty || undefined}
      placeholder="value"
      className={styles.input}
      value={text}
      onChange={({ target }) => onEdit({ text: target.value })}
    />
    <IconButton
      name={`Remove ${key || `key ${number}`}`}
      icon={<IconX aria-hidden />}
      onClick={onRemove}
    />
  </div>
)
