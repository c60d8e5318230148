import { semaphore } from '../concurrency/semaphore.ts'
import type { Leases } from '../jobs/leases.ts'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import type { EndpointKey } from './due.ts'
import type { UnstoredLog } from './endpoint/unstored-log.ts'
import type { Sender } from './sending/send.ts'

/** Status changes of an endpoint that the worker finds, to be recorded and announced. */
export type EndpointStatusChanges = {
  /** The endpoint answered 410 and is disabled at once. */
  gone(key: EndpointKey): Promise<void>
  /** Ten failures in a row. */
  failing(key: EndpointKey): Promise<void>
  /** Only failures for five days: it is disabled. */
  dead(key: EndpointKey): Promise<void>
}

/** The dependencies of every endpoint worker. */
export type DeliveryDeps = {
  readonly services: Services
  readonly logger: Logger
  readonly sender: Sender
  readonly leases: Leases
  readonly statusChanges: EndpointStatusChanges
  readonly databaseSlots: ReturnType<typeof databaseSlots>
  readonly unstored: UnstoredLog
}

/** Logs a failure of an endpoint's worker, unless it is one of an outage of the database. */
export function report(
  { services, logger }: DeliveryDeps,
  facts: EndpointKey & { err: unknown; change?: string },
  text: string,
): void {
  if (!services.observability.failures.isOutage('webhook delivery', facts.err))
    logger.error(facts, text)
}

/**
 * Limits the concurrent database work of all endpoint workers of a process. They share a few
 * connections with requests, and hanging endpoints tend to time out together.
 */
export const databaseSlots = () => ({
  reading: semaphore({ atOnce: 4, waiting: Number.POSITIVE_INFINITY }),
  recording: semaphore({ atOnce: 2, waiting: Number.POSITIVE_INFINITY }),
})
