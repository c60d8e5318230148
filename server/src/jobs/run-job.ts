import { recordSuccesses } from '../database/upkeep/task-successes.ts'
import type { Services } from '../kernel/context.ts'
import { countJob } from '../observability/counters.ts'
import type { Logger } from '../observability/logger.ts'
import type { Job } from './job.ts'

type JobRun = { services: Services; logger: Logger; signal: AbortSignal }

/** Runs a job once, counts it and logs its result, as the queue retries failures silently. */
export async function runJob(job: Job, { services, logger, signal }: JobRun): Promise<void> {
  try {
    const done = await job.run(services, signal, logger)
    await recordSuccesses(services.database, [job.name])
    countJob(services.observability.counters, job.name, 'succeeded')
    // Frequent jobs mostly find nothing to do.
    const hasDone = Object.values(done).some((count) => count > 0)
    logger[hasDone ? 'info' : 'debug']({ job: job.name, ...done }, 'housekeeping')
  } catch (err) {
    // A job aborted by a shutdown is no failure: it runs again elsewhere, or at the next start.
    if (!signal.aborted) {
      countJob(services.observability.counters, job.name, 'failed')
      const isCounted = services.observability.failures.isOutage(job.name, err)
      if (!isCounted) logger.error({ job: job.name, err }, 'a job failed')
    }
    throw err
  }
}
