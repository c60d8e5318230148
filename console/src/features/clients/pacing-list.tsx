import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Sections } from '../pacing/sections.tsx'
import { type MonthRow, monthColumns } from './month/columns.tsx'
import { MonthChoice } from './month/month-choice.tsx'
import { clientPacingList } from './queries.ts'

/** Clients by the money at risk in a month: who will over- or underspend. */
export default function ClientPacingList() {
  const [search] = useScreenState()
  const query = useInfiniteQuery(clientPacingList(search))
  const month = query.data?.pages[0]?.data[0]?.month ?? one(search.month)
  return (
    <ListScreen
      title="Pacing"
      about="What each client spent beside its budget of the month, the most money at risk first."
      caption="Pacing of clients"
      kind="client"
      tabs={<Sections />}
      ofClient
      filters={{
        filters: [{ name: 'status', label: 'Pacing', choices: choicesOf('PacingStatus') }],
        texts: [{ name: 'currency', label: 'Currency' }],
        others: ['month'],
        children: month && <MonthChoice month={month} />,
      }}
      query={query}
      columns={columns}
      sort="-money_at_risk"
      empty={{
        title: 'No client has a plan this month',
        text: 'Clients with a budget, or with campaigns that may spend, appear here.',
      }}
    />
  )
}

const columns: readonly Column<MonthRow>[] = [
  {
    id: 'client',
    header: 'Client',
    grow: true,
    cell: ({ client_id, client, month }) => (
      <Link to="/clients/$id" params={{ id: client_id }} search={{ tab: 'pacing', month }}>
        <Cut text={client} />
      </Link>
    ),
  },
  ...monthColumns.map((column) =>
    column.id === 'risk'
      ? { ...column, minor: false, sort: 'money_at_risk' }
      : { ...column, minor: column.id !== 'status' },
  ),
]
