import { IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { proposedColumns, titleColumn } from './columns.tsx'
import { FromCsv } from './from-csv.tsx'
import { Spend } from './page/spend.tsx'
import { type ChangeSet, changeSetList } from './queries.ts'
import { ChangeSetStatus } from './status.tsx'

export default function ChangeSets() {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  return (
    <ListScreen
      title="Change sets"
      about="Edits that are proposed, reviewed and published together."
      kind="change set"
      actions={
        <Button
          icon={<IconUpload aria-hidden />}
          blocked={useBlocked('proposeChangeSetFromCsv')}
          onClick={() => setSearch({ open: 'csv' })}
        >
          From a CSV file
        </Button>
      }
      filters={{
        filters: [{ name: 'status', label: 'Status', choices: choicesOf('ChangeSetStatus') }],
      }}
      query={useInfiniteQuery(changeSetList(search))}
      columns={columns}
      empty={{
        title: 'No change sets yet',
        text: 'Edits of budgets and launches gather at the bottom of the campaigns grid. Publish them together, or have them reviewed first.',
      }}
    >
      {search.open === 'csv' && (
        <FromCsv
          onClose={() => setSearch({ open: undefined })}
          onDone={({ id }) => void navigate({ to: '/change-sets/$id', params: { id } })}
        />
      )}
    </ListScreen>
  )
}

const columns: readonly Column<ChangeSet>[] = [
  titleColumn,
  { id: 'status', header: 'Status', cell: ({ status }) => <ChangeSetStatus status={status} /> },
  {
    id: 'operations',
    header: 'Edits',
    align: 'end',
    minor: true,
    cell: ({ operation_count }) => operation_count,
  },
  {
    id: 'spend',
    header: 'Running budgets',
    minor: true,
    cell: ({ spend_delta }) =>
      spend_delta.length === 0 ? <Soft>–</Soft> : <Spend deltas={spend_delta} />,
  },
  ...proposedColumns,
]
