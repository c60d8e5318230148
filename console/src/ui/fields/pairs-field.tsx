import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import styles from '../fields.module.css'
import type { Labelled } from './field.tsx'
import type { FieldState } from './form.ts'

type Pairs<Value> = Readonly<Record<string, Value>>
type PairRow<Value> = { id: number; key: string; value: Value }

/** The part of a row beside its key. */
export type PairValue<Value> = {
  /** The key, or which one it is. */
  of: string
  value: Value
  isFaulty: boolean
  onChange: (value: Value) => void
}

type PairsFieldProps<Value> = Labelled &
  FieldState<Pairs<Value>> & {
    /** The word for a key. */
    noun: string
    /** The value of a new row. */
    empty: Value
    editor: (pair: PairValue<Value>) => ReactNode
  }

const recordOf = <Value,>(rows: readonly PairRow<Value>[]): Pairs<Value> =>
  Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]))

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

let lastId = 0
function rowOf<Value>(key: string, value: Value): PairRow<Value> {
  lastId += 1
  return { id: lastId, key, value }
}

const rowsOf = <Value,>(value: Pairs<Value>) =>
  Object.entries(value).map(([key, each]) => rowOf(key, each))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The rows as they are typed: one without a key counts only once it has one. */
function useRows<Value>({ value, onChange }: FieldState<Pairs<Value>>) {
  const [typed, setTyped] = useState(() => rowsOf(value))
  const rows = isSame(recordOf(typed), value) ? typed : rowsOf(value)
  const change = (next: readonly PairRow<Value>[]) => {
    setTyped([...next])
    onChange(recordOf(next))
  }
  const edit = (row: PairRow<Value>, changes: Partial<PairRow<Value>>) =>
    change(rows.map((each) => (each.id === row.id ? { ...each, ...changes } : each)))
  const twice = rows.find(
    ({ key }, at) => key !== '' && rows.findIndex((row) => row.key === key) < at,
  )
  return { rows, change, edit, twice }
}

/** Values by keys of one's own. */
export function PairsField<Value>(props: PairsFieldProps<Value>) {
  const { label, hint, fault, noun, empty, editor } = props
  const id = useId()
  const { rows, change, edit, twice } = useRows(props)
  const said = fault ?? (twice && `The ${noun} ${twice.key} is there twice: the last one counts.`)
  const isFaulty = said !== undefined
  return (
    <fieldset className={styles.field} aria-describedby={`${id}-about`}>
      <legend className={styles.label}>
        {label} <span className={styles.optional}>(optional)</span>
      </legend>
      {rows.map((row, at) => {
        const of = row.key || `${noun} ${at + 1}`
        return (
          <div key={row.id} className={styles.pair}>
            <input
              aria-label={`${capital(noun)} ${at + 1}`}
              aria-invalid={isFaulty || undefined}
              placeholder={noun}
              className={styles.input}
              value={row.key}
              onChange={({ target }) => edit(row, { key: target.value })}
            />
            {editor({ of, value: row.value, isFaulty, onChange: (to) => edit(row, { value: to }) })}
            <IconButton
              name={`Remove ${of}`}
              icon={<IconX aria-hidden />}
              onClick={() => change(rows.filter((each) => each !== row))}
            />
          </div>
        )
      })}
      <div>
        <Button
          small
          icon={<IconPlus aria-hidden />}
          onClick={() => change([...rows, rowOf('', empty)])}
        >
          Add a {noun}
        </Button>
      </div>
      <div id={`${id}-about`} className={said ? styles.fault : styles.hint}>
        {said ?? hint}
      </div>
    </fieldset>
  )
}

type Metadata = Readonly<Record<string, string>>

export const MetadataField = (props: Labelled & FieldState<Metadata>) => (
  <PairsField {...props} noun="key" empty="" editor={(pair) => <Text {...pair} />} />
)

const Text = ({ of, value, isFaulty, onChange }: PairValue<string>) => (
  <input
    aria-label={`Value of ${of}`}
    aria-invalid={isFaulty || undefined}
    placeholder="value"
    className={styles.input}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
)
