import { semaphore } from '../concurrency/semaphore.ts'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import type { EndpointKey } from './due.ts'
import type { Sender } from './send.ts'

/** What the worker finds out about an endpoint, for its owners to be told. */
export type EndpointStatusChanges = {
  /** It answered 410: it is disabled at once. */
  gone(key: EndpointKey): Promise<void>
  /** Ten failures in a row. */
  failing(key: EndpointKey): Promise<void>
  /** Five days of nothing but failures: it is disabled. */
  dead(key: EndpointKey): Promise<void>
}

/** What every lane works with. */
export type DeliveryDeps = {
  readonly services: Services
  readonly logger: Logger
  readonly sender: Sender
  readonly statusChanges: EndpointStatusChanges
  readonly databaseSlots: ReturnType<typeof databaseSlots>
}

/**
 * What all lanes of a process together ask of the database at once. Requests go over the same few
 * connections: when endpoints that hang end together, most of what follows waits its turn.
 */
export const databaseSlots = () => ({
  reading: semaphore({ atOnce: 4, waiting: Number.POSITIVE_INFINITY }),
  recording: semaphore({ atOnce: 2, waiting: Number.POSITIVE_INFINITY }),
})
