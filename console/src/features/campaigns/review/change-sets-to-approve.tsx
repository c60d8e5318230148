import { useInfiniteQuery } from '@tanstack/react-query'
import { useRows } from '../../../data/lists.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { Section } from '../../../ui/page.tsx'
import { proposedColumns, titleColumn } from '../../change-sets/columns.tsx'
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
  titleColumn,
  ...proposedColumns,
  {
    id: 'spend',
    header: 'Running budgets',
    cell: ({ spend_delta }) => <Spend deltas={spend_delta} />,
  },
]
