import { Link } from '@tanstack/react-router'
import type { ObjectPath } from '../../address.ts'
import { Cut, Labels } from '../values/text.tsx'
import { Age } from '../values/time.tsx'
import type { Column } from './table.tsx'

/** The name, which leads to the object's own screen. */
export const nameColumn = (to: ObjectPath): Column<{ id: string; name: string }> => ({
  id: 'name',
  header: 'Name',
  sort: 'name',
  grow: true,
  cell: ({ id, name }) => (
    <Link to={to} params={{ id }}>
      <Cut text={name} />
    </Link>
  ),
})

export const labelsColumn: Column<{ labels: readonly string[] }> = {
  id: 'labels',
  header: 'Labels',
  minor: true,
  cell: ({ labels }) => <Labels labels={labels} />,
}

export const changedColumn: Column<{ updated_at: string }> = {
  id: 'updated',
  header: 'Changed',
  sort: 'updated_at',
  minor: true,
  cell: ({ updated_at }) => <Age time={updated_at} />,
}

export const createdColumn = (header: string): Column<{ created_at: string }> => ({
  id: 'created',
  header,
  sort: 'created_at',
  minor: true,
  cell: ({ created_at }) => <Age time={created_at} />,
})
