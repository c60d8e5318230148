import type { Page } from '@flightdeckhq/sdk'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { now } from '../../data/clock.ts'
import { useEventTypes } from '../../data/events/types.ts'
import { useScreenState } from '../../data/search.ts'
import { Empty } from '../../ui/lists/empty.tsx'
import { type Filter, Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut, Mono, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { type Delivery, deliveryFilters } from './queries.ts'
import { DeliveryStatus } from './status.tsx'
import styles from './webhooks.module.css'

/** Filters of deliveries, in the address. */
export function DeliveryFilters({ more = [] }: { more?: readonly Filter[] }) {
  const types = useEventTypes().map(({ type }) => ({ value: type, name: type }))
  return (
    <Filters
      filters={[
        { name: 'status', label: 'Status', choices: choicesOf('WebhookDeliveryStatus') },
        { name: 'event_type', label: 'Event', choices: types },
        ...more,
      ]}
      texts={[{ name: 'event_id', label: 'Event id' }]}
      times={[
        { name: 'created_after', label: 'From' },
        { name: 'created_before', label: 'Until' },
      ]}
    />
  )
}

type DeliveryListProps = {
  query: UseInfiniteQueryResult<{ pages: Page<Delivery>[] }>
  /** Names the endpoint of each, where there are several. */
  nameOfEndpoint?: (id: string) => string
}

export function DeliveryList({ query, nameOfEndpoint }: DeliveryListProps) {
  const [search] = useScreenState()
  const isFiltered = [...deliveryFilters, 'endpoint_id'].some((name) => search[name])
  const columns = nameOfEndpoint
    ? [...firstColumns, endpointColumn(nameOfEndpoint), ...lastColumns]
    : [...firstColumns, ...lastColumns]
  return (
    <List
      caption="Deliveries"
      query={query}
      columns={columns}
      empty={
        isFiltered ? (
          <Empty title="No delivery matches">Change or clear the filters.</Empty>
        ) : (
          <Empty title="No deliveries yet">
            Each event of its types is delivered here; a test event can be sent at any time.
          </Empty>
        )
      }
    />
  )
}

const firstColumns: readonly Column<Delivery>[] = [
  {
    id: 'event',
    header: 'Event',
    grow: true,
    cell: ({ id, endpoint_id, event_type }) => (
      <Link
        to="/webhook-endpoints/$id/deliveries/$deliveryId"
        params={{ id: endpoint_id, deliveryId: id }}
        search={{}}
      >
        <Cut text={event_type} />
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
]

const endpointColumn = (nameOf: (id: string) => string): Column<Delivery> => ({
  id: 'endpoint',
  header: 'Endpoint',
  minor: true,
  cell: ({ endpoint_id }) => (
    <Link to="/webhook-endpoints/$id" params={{ id: endpoint_id }} search={{}}>
      <span className={styles.narrow}>
        <Cut text={nameOf(endpoint_id)} />
      </span>
    </Link>
  ),
})

const Failure = ({ text }: { text: string | null }) =>
  text === null ? (
    <Soft>–</Soft>
  ) : (
    <span className={styles.narrow}>
      <Cut text={text} />
    </span>
  )

/** One whose time has come waits for its turn. */
const NextAttempt = ({ time }: { time: string | null }) =>
  time !== null && Date.parse(time) <= now() ? 'Now' : <Age time={time} none="–" />

const lastColumns: readonly Column<Delivery>[] = [
  {
    id: 'result',
    header: 'Last result',
    minor: true,
    cell: ({ last_response_status: code, last_error }) =>
      code === null ? <Failure text={last_error} /> : <Mono>{code}</Mono>,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    align: 'end',
    minor: true,
    cell: ({ attempt_count }) => attempt_count,
  },
  {
    id: 'next',
    header: 'Next attempt',
    minor: true,
    cell: ({ next_attempt_at }) => <NextAttempt time={next_attempt_at} />,
  },
  { id: 'created', header: 'Created', cell: ({ created_at }) => <Age time={created_at} /> },
]
