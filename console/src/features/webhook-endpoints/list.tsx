import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import type { WebhookEndpoint } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { createdColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { NewEndpoint } from './form.tsx'
import { endpointList } from './queries.ts'
import { Sections } from './sections.tsx'
import { EndpointStatus } from './status.tsx'

export default function WebhookEndpoints() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Webhooks"
      about="Events sent to your own systems, signed, as they happen."
      caption="Webhook endpoints"
      kind="endpoint"
      create={{
        ...kinds.webhookEndpoints.create,
        name: 'New endpoint',
        form: ({ onClose }) => <NewEndpoint onClose={onClose} />,
      }}
      tabs={<Sections />}
      filters={{
        search: 'Search addresses',
        filters: [{ name: 'status', label: 'Status', choices: choicesOf('WebhookEndpointStatus') }],
      }}
      query={useInfiniteQuery(endpointList(search))}
      columns={columns}
      empty={{
        title: 'No webhook endpoints yet',
        text: 'An endpoint is an address of yours that receives events. What it misses is sent again, for up to five days.',
      }}
    />
  )
}

const eventsIn = (events: readonly string[]): string => {
  if (events.includes('*')) return 'All'
  return events.length > 2 ? `${events.length} kinds` : events.join(', ')
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: 'Address',
    grow: true,
    cell: ({ id, url }) => (
      <Link to="/webhook-endpoints/$id" params={{ id }}>
        <Cut text={url} />
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  {
    id: 'events',
    header: 'Events',
    minor: true,
    cell: ({ events }) => eventsIn(events),
  },
  {
    id: 'success',
    header: 'Last success',
    cell: ({ last_success_at }) => <Age time={last_success_at} />,
  },
  {
    id: 'failure',
    header: 'Last failure',
    minor: true,
    cell: ({ last_failure_at }) => <Age time={last_failure_at} />,
  },
  {
    id: 'failures',
    header: 'Failed in a row',
    align: 'end',
    minor: true,
    cell: ({ consecutive_failures }) => consecutive_failures,
  },
  createdColumn('Created'),
]
