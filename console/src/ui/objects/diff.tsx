import type { ReactNode } from 'react'
import { scheduleText } from '../../data/values/week.ts'
import { words } from '../../data/words.ts'
import { Table } from '../lists/table.tsx'
import { Time } from '../values/time.tsx'
import { plainText } from '../values/values.ts'

export type Difference = { field: string; before: unknown; after: unknown }

/** How an object of one kind is read by people. */
export type Reading = {
  /** Names of fields that are not made of the field's words. */
  names?: Readonly<Record<string, string>>
  /** Fields that say again what another says. */
  hidden?: readonly string[]
  /** A value that needs more than its own form; undefined for all others. */
  show?: (field: string, value: unknown) => ReactNode
}

type DiffProps = {
  caption: string
  differences: readonly Difference[]
  reading: Reading
  before?: string
  after?: string
}

/** Fields of an object, before and after a change. */
export const Diff = ({
  caption,
  differences,
  reading,
  before = 'Before',
  after = 'After',
}: DiffProps) => (
  <Table
    caption={caption}
    rows={differences
      .filter(({ field }) => !reading.hidden?.includes(field))
      .map((difference) => ({ ...difference, id: difference.field }))}
    columns={[
      { id: 'field', header: 'Field', cell: ({ field }) => fieldName(field, reading) },
      {
        id: 'before',
        header: before,
        wrap: true,
        cell: ({ field, before }) => <Value field={field} value={before} reading={reading} />,
      },
      {
        id: 'after',
        header: after,
        wrap: true,
        cell: ({ field, after }) => <Value field={field} value={after} reading={reading} />,
      },
    ]}
  />
)

const fieldName = (field: string, { names }: Reading): string => names?.[field] ?? words(field)

type ValueProps = { field: string; value: unknown; reading: Reading }

function Value({ field, value, reading: { show } }: ValueProps): ReactNode {
  const shown = show?.(field, value)
  if (shown !== undefined) return shown
  if (typeof value === 'string' && field.endsWith('_at')) return <Time time={value} />
  if (field === 'schedule' && Array.isArray(value)) return scheduleText(value)
  return plainText(value)
}

/** The fields in which two states of an object differ. */
export function differencesOf(before: object, after: object): readonly Difference[] {
  const then = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([field, value]) =>
    JSON.stringify(then.get(field)) === JSON.stringify(value)
      ? []
      : [{ field, before: then.get(field), after: value }],
  )
}
