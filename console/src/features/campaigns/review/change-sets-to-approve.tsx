import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRows } from '../../../data/lists.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { Section } from '../../../ui/page.tsx'
import { Cut, Soft } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import { Spend } from '../../change-sets/page/spend.tsx'
import { type ChangeSet, changeSetList } from '../../change-sets/queries.ts'

/** Edits of several objects that wait for an approval; each is decided on its own screen. */
export function ChangeSetsToApprove() {
  const rows = useRows(useInfiniteQuery(changeSetList({ status: 'open' })))
  const waiting = rows.filter(({ approval }) => approval.required)
  if (waiting.length === 0) return null
  return (
    <Section title="Change sets">
      <Table caption="Change sets that wait for an approval" rows={waiting} columns={columns} />
    </Section>
  )
}

const columns: readonly Column<ChangeSet>[] = [
  {
    id: 'title',
    header: 'Title',
    grow: true,
    cell: ({ id, title }) => (
      <Link to="/change-sets/$id" params={{ id }}>
        <Cut text={title} />
      </Link>
    ),
  },
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
  {
    id: 'spend',
    header: 'Running budgets',
    cell: ({ spend_delta }) => <Spend deltas={spend_delta} />,
  },
]
