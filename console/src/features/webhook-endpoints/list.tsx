import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { WebhookEndpoint } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { NewEndpoint } from './form.tsx'
import { endpointList } from './queries.ts'
import { Sections } from './sections.tsx'
import { EndpointStatus } from './status.tsx'

export default function WebhookEndpoints() {
  const [search, setSearch] = useScreenState()
  const query = useInfiniteQuery(endpointList(search))
  const blocked = useBlocked('createWebhookEndpoint')
  const create = () => setSearch({ open: 'new' })
  const newButton = (
    <Button look="primary" icon={<IconPlus aria-hidden />} blocked={blocked} onClick={create}>
      New endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      about="Events sent to your own systems, signed, as they happen."
      actions={newButton}
    >
      <Sections />
      <Filters
        search="Search addresses"
        filters={[{ name: 'status', label: 'Status', choices: choicesOf('WebhookEndpointStatus') }]}
      />
      <List
        caption="Webhook endpoints"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={
          search.q || search.status ? (
            <NoMatch kind="endpoint" />
          ) : (
            <Empty
              title="No webhook endpoints yet"
              action={
                <Button blocked={blocked} onClick={create}>
                  New endpoint
                </Button>
              }
            >
              An endpoint is an address of yours that receives events. What it misses is sent again,
              for up to five days.
            </Empty>
          )
        }
      />
      {search.open === 'new' && <NewEndpoint onClose={() => setSearch({ open: undefined })} />}
    </Page>
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
  {
    id: 'created',
    header: 'Created',
    sort: 'created_at',
    minor: true,
    cell: ({ created_at }) => <Age time={created_at} />,
  },
]
