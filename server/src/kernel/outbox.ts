import type { Insertable } from 'kysely'
import type { Tables } from '../database/tables/types.ts'
import { deliveryIds } from '../values/core-ids.ts'
import { newIdAt } from '../values/ids.ts'
import type { Ledger } from './context.ts'
import { resourceTypeOf } from './event-types.ts'
import type { LedgerEvent } from './ledger.ts'

/** A webhook endpoint of the organization and its subscriptions. */
export type Subscriber = {
  readonly id: string
  /** Event types, `<resource>.*` or `*`. */
  readonly events: readonly string[]
  readonly status: string
  /** Set while a failing endpoint is paused: nothing is sent before this time. */
  readonly paused_until: string | null
}

/** Endpoints with deliveries to send now; the sweep finds paused ones when their pause ends. */
export const awakeOf = ({ deliveries, subscribers }: Ledger, now: string): string[] => {
  const isPaused = ({ paused_until }: Subscriber) =>
    paused_until !== null && Date.parse(paused_until) > Date.parse(now)
  const paused = new Set(subscribers.filter(isPaused).map(({ id }) => id))
  return deliveries.map(({ endpoint_id }) => endpoint_id).filter((id) => !paused.has(id))
}

/** Sent before any change of an endpoint's deliveries: one order of locks, so none deadlock. */
export const lockEndpointSql = `
  select from webhook_endpoints where organization_id = $1 and id = $2 for no key update`

type NewDelivery = Insertable<Tables['webhook_deliveries']>

/** The deliveries for a transaction's events, which commit with it; `time` is the real time. */
export const deliveriesOf = ({ events, subscribers }: Ledger, time: Date): NewDelivery[] =>
  subscribers.length === 0
    ? []
    : events.flatMap((event) =>
        subscribers
          .filter((subscriber) => shouldReceive(subscriber, event))
          .map((subscriber) => deliveryOf(subscriber, event, newIdAt(deliveryIds, time))),
      )

/** An endpoint gets the events that it subscribes to, except those about itself. */
const shouldReceive = ({ id, events }: Subscriber, { type, data }: LedgerEvent): boolean =>
  isSubscribed(events, type) && !(type.startsWith('webhook_endpoint.') && data.object.id === id)

/** Whether a subscription (event types, `<resource>.*`, `*`) includes this event type. */
export const isSubscribed = (events: readonly string[], type: string): boolean =>
  events.includes('*') || events.includes(type) || events.includes(`${resourceTypeOf(type)}.*`)

/** For a disabled endpoint the delivery is stored as skipped, so that `recover` finds it. */
const deliveryOf = (
  { id: endpointId, status }: Subscriber,
  event: LedgerEvent,
  id: string,
): NewDelivery => ({
  organization_id: event.organization_id,
  id,
  endpoint_id: endpointId,
  event_id: event.id,
  event_type: event.type,
  event_sequence: event.sequence,
  status: status === 'enabled' ? 'pending' : 'skipped',
  trigger: 'auto',
  next_attempt_at: status === 'enabled' ? event.timestamp : null,
  created_at: event.timestamp,
  updated_at: event.timestamp,
})
