import { PgBoss } from 'pg-boss'
import { pause, untilAborted } from '../concurrency/wait.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { PrimaryClient } from '../database/driver/connection.ts'
import { jobs } from '../features/work.ts'
import type { Job } from '../jobs/job.ts'
import { runJob } from '../jobs/run-job.ts'
import type { Services } from '../kernel/context.ts'
import { expectJob } from '../observability/counters.ts'
import type { Logger } from '../observability/logger.ts'

type QueueDeps = {
  services: Services
  address: DatabaseAddress
  logger: Logger
  signal: AbortSignal
}

const schema = 'pgboss'
const connections = 3
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
 * Runs the scheduled jobs until the signal, each in one process at a time. Creating the queue's tables
 * is retried until it succeeds: the service answers without it, but partitions run out in weeks.
 */
export async function runScheduledJobs(parts: QueueDeps): Promise<void> {
  const { services, signal } = parts
  services.observability.readiness.setQueue('starting')
  const boss = await startWithRetries(parts)
  if (boss) await untilAborted(signal)
  services.observability.readiness.setQueue('off')
  // A job that still runs goes back to the queue and starts again: its steps are repeatable.
  await boss?.stop({ graceful: false })
}

async function startWithRetries(parts: QueueDeps): Promise<PgBoss | undefined> {
  const { services, signal } = parts
  while (!signal.aborted) {
    try {
      const boss = await tryStart(parts)
      services.observability.readiness.setQueue('running')
      return boss
    } catch (err) {
      services.observability.readiness.setQueue('failed')
      services.observability.failures.note('start of scheduled jobs', err)
      await pause(retryAfterMs, signal)
    }
  }
  return undefined
}

async function tryStart(parts: QueueDeps): Promise<PgBoss> {
  const { services, address, logger } = parts
  const boss = new PgBoss({
    ...address,
    schema,
    ...queueSettings,
    application_name: 'flightdeck background',
    max: connections,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (err) => services.observability.failures.note('queue', asError(err)))
  boss.on('warning', ({ message }) => logger.warn({ detail: message }, 'queue warning'))
  try {
    await boss.start()
    for (const job of jobs) await scheduleJob(boss, job, parts)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

/** Makes an `Error` of the copies that pg-boss reports of its workers' errors. */
const asError = (err: Error) => (err instanceof Error ? err : Object.assign(new Error(), err))

async function scheduleJob(boss: PgBoss, job: Job, { services, logger, signal }: QueueDeps) {
  const queue = { policy: 'exclusive', expireInSeconds: maxRunSeconds, heartbeatSeconds } as const
  expectJob(services.observability.counters, job.name)
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
