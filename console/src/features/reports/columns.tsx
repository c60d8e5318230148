import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changedColumn, nameColumn } from '../../ui/lists/columns.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { clientQuery, type Report } from './queries.ts'
import { compareText, periodText } from './words.ts'

const clientColumn: Column<Report> = {
  id: 'client',
  header: 'Of',
  cell: (report) => <Subject report={report} />,
}

/** Columns where all reports are of one client. */
export const columnsOfClient: readonly Column<Report>[] = [
  nameColumn('/reports/$id'),
  { id: 'period', header: 'Period', cell: ({ period }) => periodText(period) },
  { id: 'compare', header: 'Beside', minor: true, cell: ({ compare }) => compareText(compare) },
  changedColumn,
]

const [name, ...others] = columnsOfClient

export const columns: readonly Column<Report>[] = [...(name ? [name] : []), clientColumn, ...others]

/** The client of a report, or that it is of several. */
export function Subject({ report: { client_id, filter } }: { report: Report }) {
  const { data } = useQuery(clientQuery(client_id))
  if (client_id === null) return <Soft>{filter ? 'A filter' : 'Everything'}</Soft>
  return (
    <Link to="/clients/$id" params={{ id: client_id }} search={{ tab: 'reports' }}>
      {data?.name ?? '…'}
    </Link>
  )
}
