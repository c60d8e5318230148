import { Link } from '@tanstack/react-router'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import type { ChangeSet } from './queries.ts'

/** The columns that every table of change sets has, around those of its own. */
export const titleColumn: Column<ChangeSet> = {
  id: 'title',
  header: 'Title',
  grow: true,
  cell: ({ id, title }) => (
    <Link to="/change-sets/$id" params={{ id }}>
      <Cut text={title} />
    </Link>
  ),
}

export const proposedColumns: readonly Column<ChangeSet>[] = [
  {
    id: 'by',
    header: 'By',
    minor: true,
    cell: ({ created_by_name }) => created_by_name ?? <Soft>–</Soft>,
  },
  {
    id: 'created',
    header: 'Proposed',
    minor: true,
    cell: ({ created_at }) => <Age time={created_at} />,
  },
]
