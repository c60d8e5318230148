import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { now } from '../../data/clock.ts'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type Delivery = Schema<'WebhookDelivery'>
export type DeliveryDetails = Schema<'WebhookDeliveryDetails'>

export function endpointList(search: Search) {
  const query = queryOf(search, ['q', 'status', 'sort'])
  return listOptions(listKey('webhook_endpoints', query), (cursor) =>
    flightdeck.webhookEndpoints.list({ ...query, cursor, limit: 50 }),
  )
}

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('webhook_endpoints', id),
    queryFn: async () => flightdeck.webhookEndpoints.get(id),
  })

const manyEndpoints = queryOptions({
  queryKey: listKey('webhook_endpoints', { all: true }),
  queryFn: async () => flightdeck.webhookEndpoints.list({ limit: 100 }).toArray({ limit: 500 }),
})

/** To name endpoints and to choose among them. */
export const useEndpoints = () => useQuery(manyEndpoints).data ?? []

export const deliveryFilters = [
  'status',
  'event_type',
  'event_id',
  'created_after',
  'created_before',
]

/** There are no events of deliveries: what is on its way is read again soon, all else now and then. */
const soonMs = 2_000
const laterMs = 15_000
const dueMs = 60_000

const isDue = ({ status, next_attempt_at: next }: Delivery) =>
  status === 'pending' && (next === null || Date.parse(next) < now() + dueMs)

const graceMs = 15_000

/** About to be sent, or on its way: not one that waits for long, such as for an endpoint that is paused. */
export const isComing = ({ status, next_attempt_at: next }: Delivery): boolean =>
  status === 'pending' && (next === null || Math.abs(Date.parse(next) - now()) < graceMs)

const rereadAfter = (deliveries: readonly Delivery[]) => (deliveries.some(isDue) ? soonMs : laterMs)

/** Deliveries to one endpoint. */
export function deliveriesTo(endpointId: string, search: Search) {
  const query = queryOf(search, deliveryFilters)
  const key = partKey('webhook_endpoints', endpointId, 'deliveries', query)
  return rereading(
    listOptions(key, (cursor) =>
      flightdeck.webhookEndpoints.listDeliveries(endpointId, { ...query, cursor, limit: 50 }),
    ),
  )
}

/** Deliveries to all endpoints. */
export function allDeliveries(search: Search) {
  const query = queryOf(search, [...deliveryFilters, 'endpoint_id'])
  return rereading(
    listOptions(listKey('deliveries', query), (cursor) =>
      flightdeck.webhookDeliveries.listAll({ ...query, cursor, limit: 50 }),
    ),
  )
}

type DeliveryList = ReturnType<typeof listOptions<Delivery>>

const rereading = (options: DeliveryList) =>
  infiniteQueryOptions({
    ...options,
    refetchInterval: ({ state }) =>
      rereadAfter(state.data?.pages.flatMap(({ data }) => data) ?? []),
  })

export const deliveryQuery = (endpointId: string, id: string) =>
  queryOptions({
    queryKey: partKey('webhook_endpoints', endpointId, 'delivery', { id }),
    queryFn: async () => flightdeck.webhookEndpoints.getDelivery(endpointId, id),
    refetchInterval: ({ state }) => (state.data ? rereadAfter([state.data]) : false),
  })
