import { lazy } from '../concurrency/lazy.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { databaseSlots } from '../delivery/deps.ts'
import { unstoredLog } from '../delivery/endpoint/unstored-log.ts'
import type { Sender } from '../delivery/sending/send.ts'
import { tracedSender } from '../delivery/sending/traced-sender.ts'
import { type DeliveryWorker, startDelivery } from '../delivery/worker.ts'
import { singletonTasks } from '../features/work.ts'
import type { Leases } from '../jobs/leases.ts'
import { runWhileLeader } from '../jobs/singleton-task.ts'
import { openTaskSuccesses } from '../jobs/task-successes.ts'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import { endpointStatusChanges } from './endpoint-status.ts'
import { runScheduledJobs } from './queue.ts'

/** Everything the service does apart from answering requests. */
export type Background = {
  readonly delivery: DeliveryWorker
  /** Ends all work and releases its leases. A second call waits for the first. */
  stop(): Promise<void>
}

type SchedulerDeps = {
  services: Services
  address: DatabaseAddress
  leases: Leases
  logger: Logger
}

/**
 * Starts the webhook delivery, the tasks that poll, and the scheduled jobs: each endpoint, task and job
 * runs in one process at a time.
 */
export function startBackground({ services, address, leases, logger }: SchedulerDeps): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const delivery = startDelivery({
    services,
    logger,
    leases,
    sender: senderOf(services),
    statusChanges: endpointStatusChanges(services),
    databaseSlots: databaseSlots(),
    unstored: unstoredLog({ ...services.observability, logger }),
  })
  const successes = openTaskSuccesses(services)
  const running = Promise.all([
    runScheduledJobs({ services, address, logger, signal }),
    ...singletonTasks.map((task) => runWhileLeader(task, { services, leases, successes, signal })),
  ])
  const stop = lazy(async (): Promise<void> => {
    stopping.abort()
    successes.stop()
    await Promise.all([delivery.stop(), running])
  })
  return { delivery, stop }
}

function senderOf(services: Services): Sender {
  const sender = lazySender(services)
  return services.observability.tracing
    ? tracedSender(sender, services.observability.tracing)
    : sender
}

/** The HTTP client takes 30 MB, so the first delivery loads it. */
function lazySender({ config, egress: { ownAddresses } }: Services): Sender {
  const opened = lazy(async () => {
    const { openSender } = await import('../delivery/sending/send.ts')
    return openSender({ allowed: config.egressAllow, own: ownAddresses })
  })
  return {
    send: async (request, signal) => (await opened()).send(request, signal),
    close: () => void opened.ifMade()?.then((sender) => sender.close()),
  }
}
