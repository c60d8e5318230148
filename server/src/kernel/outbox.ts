import type { Insertable } from 'kysely'
import type { Tables } from '../database/types.ts'
import { newIdAt } from '../values/ids.ts'
import type { Ledger } from './context.ts'
import { resourceTypeOf } from './event-types.ts'

/** A webhook endpoint of the organization, and what it wants to hear of. */
export type Subscriber = {
  readonly id: string
  /** Event types, `<resource>.*` or `*`. */
  readonly events: readonly string[]
  readonly status: string
  /** Nothing is sent before this time: it only fails. */
  readonly paused_until: string | null
}

/** Endpoints that one of the deliveries can go to at once; others are found when their time comes. */
export const awakeOf = ({ deliveries, subscribers }: Ledger, now: string): string[] => {
  const isPaused = ({ paused_until }: Subscriber) =>
    paused_until !== null && Date.parse(paused_until) > Date.parse(now)
  const paused = new Set(subscribers.filter(isPaused).map(({ id }) => id))
  return deliveries.map(({ endpoint_id }) => endpoint_id).filter((id) => !paused.has(id))
}

type Delivery = Insertable<Tables['webhook_deliveries']>
type Event = Ledger['events'][number]

/** The deliveries that a transaction's events ask for; they commit with it, at this real time. */
export const deliveriesOf = ({ events, subscribers }: Ledger, time: Date): Delivery[] =>
  subscribers.length === 0
    ? []
    : events.flatMap((event) =>
        subscribers
          .filter((subscriber) => isFor(subscriber, event))
          .map((subscriber) => deliveryOf(subscriber, event, newIdAt('delivery', time))),
      )

/** An endpoint hears what it has subscribed to, but nothing of itself. */
const isFor = ({ id, events }: Subscriber, { type, body }: Event): boolean =>
  wants(events, type) && !(type.startsWith('webhook_endpoint.') && tellsOf(body) === id)

/** Whether these types, `<resource>.*` and `*` stand for this type among others. */
export const wants = (events: readonly string[], type: string): boolean =>
  events.includes('*') || events.includes(type) || events.includes(`${resourceTypeOf(type)}.*`)

const tellsOf = (body: string): string => JSON.parse(body).data.object.id

/** One for a disabled endpoint is recorded as skipped, for `recover` to find. */
const deliveryOf = (
  { id: endpointId, status }: Subscriber,
  event: Event,
  id: string,
): Delivery => ({
  organization_id: event.organization_id,
  id,
  endpoint_id: endpointId,
  event_id: event.id,
  event_type: event.type,
  event_sequence: event.sequence,
  status: status === 'enabled' ? 'pending' : 'skipped',
  trigger: 'auto',
  next_attempt_at: status === 'enabled' ? event.occurred_at : null,
  created_at: event.occurred_at,
  updated_at: event.occurred_at,
})
