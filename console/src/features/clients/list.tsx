import { useInfiniteQuery } from '@tanstack/react-query'
import { choicesOf } from '../../data/choices.ts'
import { useRows } from '../../data/lists.ts'
import { queryOf, useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { ExportMenu } from '../../ui/lists/export-menu.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { columnsWith } from './columns.tsx'
import { ClientForm } from './form.tsx'
import { useDaysOf } from './month/days.ts'
import { useMonths } from './month/figures.ts'
import { clientFilters, clientList } from './queries.ts'

const formats = [
  { format: 'csv', name: 'CSV' },
  { format: 'ndjson', name: 'NDJSON' },
] as const

/** The clients, each with its present month. */
export default function Clients() {
  const [search] = useScreenState()
  const query = useInfiniteQuery(clientList(search))
  const ids = useRows(query).map(({ id }) => id)
  const months = useMonths(ids)
  const month = ids.flatMap((id) => months.of(id) ?? [])[0]?.month ?? ''
  const days = useDaysOf(ids, month)
  return (
    <ListScreen
      title="Clients"
      about="Whose money it is, and how the month of each goes."
      kind="client"
      create={{
        ...kinds.clients.create,
        to: '/clients/$id',
        form: (form) => <ClientForm {...form} />,
      }}
      actions={
        <ExportMenu
          fileName="clients"
          formats={formats}
          read={async (format) =>
            flightdeck.clients.export({ ...queryOf(search, clientFilters), format })
          }
        />
      }
      filters={{
        search: 'Search clients',
        filters: [{ name: 'status', label: 'Status', choices: choicesOf('ClientStatus') }],
        texts: [{ name: 'label', label: 'Label' }],
      }}
      query={query}
      columns={columnsWith(months, days)}
      sort="name"
      empty={{
        title: 'No clients yet',
        text: 'A client is whose money it is. Profiles belong to it, and through them campaigns, results and pacing. Archived ones are shown by their status.',
      }}
    />
  )
}
