import type { Services } from '../kernel/context.ts'
import { countJob } from '../observability/counters.ts'
import type { Logger } from '../observability/logger.ts'
import type { Job } from './job.ts'

type Running = { services: Services; logger: Logger; signal: AbortSignal }

/** Does a job once, and leaves a trace of it: the queue tries a failed one again, and says nothing. */
export async function runJob(job: Job, { services, logger, signal }: Running): Promise<void> {
  try {
    const done = await job.run(services, signal)
    countJob(services.counters, job.name, 'succeeded')
    // A job of every minute mostly finds nothing to do.
    const hasDone = Object.values(done).some((count) => count > 0)
    logger[hasDone ? 'info' : 'debug']({ job: job.name, ...done }, 'housekeeping')
  } catch (err) {
    // One that is told to end, as the process stops, is begun again: by another, or at the next start.
    if (!signal.aborted) {
      countJob(services.counters, job.name, 'failed')
      logger.error({ job: job.name, err }, 'a job failed')
    }
    throw err
  }
}
