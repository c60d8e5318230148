import { useInfiniteQuery } from '@tanstack/react-query'
import { one, useScreenState } from '../../data/search.ts'
import { kinds } from '../../kinds.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { columns } from './columns.tsx'
import { NewReport } from './new.tsx'
import { reportList } from './queries.ts'

export default function Reports() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Reports"
      about="What clients are shown of their results: figures, what was changed and why, what comes next."
      kind="report"
      create={{
        ...kinds.reports.create,
        to: '/reports/$id',
        form: (form) => <NewReport {...form} clientId={one(search.client_id) ?? null} />,
      }}
      ofClient
      filters={{ search: 'Search reports' }}
      query={useInfiniteQuery(reportList(search))}
      columns={columns}
      empty={{
        title: 'No reports yet',
        text: 'A report is of one client, or of what a filter selects. It is printed, saved as a PDF, or opened by a link without an account.',
      }}
    />
  )
}
