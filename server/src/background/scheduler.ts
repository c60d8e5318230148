import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { lazy } from '../concurrency/lazy.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { PrimaryClient } from '../database/driver/connection.ts'
import { databaseSlots } from '../delivery/deps.ts'
import type { Sender } from '../delivery/send.ts'
import { tracedSender } from '../delivery/traced-sender.ts'
import { type Delivery, startDelivery } from '../delivery/worker.ts'
import type { Job } from '../jobs/job.ts'
import { runWhileLeader } from '../jobs/lease.ts'
import { runJob } from '../jobs/run-job.ts'
import type { Services } from '../kernel/context.ts'
import { expectJob } from '../observability/counters.ts'
import type { Logger } from '../observability/logger.ts'
import { endpointStatusChanges } from './endpoint-status.ts'
import { jobs, singletonTasks } from './list.ts'

/** Everything the service does apart from answering requests. */
export type Background = {
  /** Undefined until the queue has started. */
  readonly delivery: Delivery | undefined
  /** Ends all work and releases its leases. A second call waits for the first. */
  stop(): Promise<void>
}

type Parts = { services: Services; address: DatabaseAddress; logger: Logger }

const schema = 'pgboss'
const connections = 4
const retryAfterMs = 5_000
/** pg-boss passes these on to its connections, though its types do not list them. */
const queueSettings = { Client: PrimaryClient, query_timeout: 15_000, keepAlive: true }
/** No scheduled job is urgent. */
const pollSeconds = 30
const maxRunSeconds = 3_600
/** After this long without a heartbeat, the job of a killed process is taken over. */
const heartbeatSeconds = 30
/** How often expired heartbeats are looked for. */
const superviseSeconds = 5

/**
 * Runs the scheduled jobs and the webhook delivery from a queue in the service's own database, each
 * job and endpoint on one replica at a time. Returns at once, as creating the queue's tables must not
 * delay the first request.
 */
export function startBackground(parts: Parts): Background {
  const stopping = new AbortController()
  let delivery: Delivery | undefined
  const starting = startWithRetries(parts, stopping.signal).then((started) => {
    delivery = started?.delivery
    return started
  })
  const stop = lazy(async (): Promise<void> => {
    stopping.abort()
    const started = await starting
    parts.services.readiness.setQueue('off')
    await Promise.all([started?.delivery.stop(), started?.tasks])
    // A job that still runs goes back to the queue and starts again: its steps are repeatable.
    await started?.boss.stop({ graceful: false })
  })
  return {
    get delivery() {
      return delivery
    },
    stop,
  }
}

type Started = { boss: PgBoss; delivery: Delivery; tasks: Promise<unknown> }

/** Retries until it succeeds: the service answers without it, but partitions run out in weeks. */
async function startWithRetries(parts: Parts, signal: AbortSignal): Promise<Started | undefined> {
  const { services, logger } = parts
  services.readiness.setQueue('starting')
  while (!signal.aborted) {
    try {
      const started = await tryStart(parts, signal)
      services.readiness.setQueue('running')
      return started
    } catch (err) {
      services.readiness.setQueue('failed')
      logger.error({ err }, 'background work cannot start; trying again')
      await sleep(retryAfterMs, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

async function tryStart(parts: Parts, signal: AbortSignal): Promise<Started> {
  const { address, logger, services } = parts
  const boss = new PgBoss({
    ...address,
    schema,
    ...queueSettings,
    application_name: 'flightdeck background',
    max: connections,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (err) => logger.warn({ err }, 'queue error'))
  boss.on('warning', ({ message }) => logger.warn({ detail: message }, 'queue warning'))
  try {
    await boss.start()
    for (const job of jobs) await scheduleJob(boss, job, { ...parts, signal })
    const sender = senderOf(services)
    const deps = {
      services,
      logger,
      sender,
      statusChanges: endpointStatusChanges(services),
      databaseSlots: databaseSlots(),
    }
    const delivery = await startDelivery(boss, deps)
    const tasks = Promise.all(
      singletonTasks.map((task) => runWhileLeader(task, { boss, services, logger, signal })),
    )
    return { boss, delivery, tasks }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

function senderOf(services: Services): Sender {
  const sender = lazySender(services)
  return services.tracing ? tracedSender(sender, services.tracing) : sender
}

/** The HTTP client takes 30 MB, so the first delivery loads it. */
function lazySender({ config, ownAddresses }: Services): Sender {
  let opened: Promise<Sender> | undefined
  const open = async () => {
    const { openSender } = await import('../delivery/send.ts')
    return openSender({ allowed: config.egressAllow, own: ownAddresses })
  }
  return {
    send: async (request, signal) => {
      opened ??= open()
      return (await opened).send(request, signal)
    },
    close: () => void opened?.then((sender) => sender.close()),
  }
}

type Running = Parts & { signal: AbortSignal }

async function scheduleJob(boss: PgBoss, job: Job, { services, logger, signal }: Running) {
  const queue = { policy: 'exclusive', expireInSeconds: maxRunSeconds, heartbeatSeconds } as const
  expectJob(services.counters, job.name)
  await boss.createQueue(job.name, queue)
  // A service that was off at the scheduled time runs the job at its next start.
  await boss.schedule(job.name, job.cron, null, { tz: 'UTC', missed: 'once' })
  const polling = { pollingIntervalSeconds: pollSeconds }
  await boss.work(job.name, polling, async ([started]) => {
    if (!started) return
    const either = AbortSignal.any([started.signal, signal])
    await runJob(job, { services, logger, signal: either })
  })
}
