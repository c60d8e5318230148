import type { Services } from '../kernel/context.ts'
import type { DueWork } from '../observability/due-work.ts'

type JobWork = Pick<DueWork, 'name' | 'dueSince'>

/** Logs faults that an operator must know at once. */
export type JobLogger = { error(facts: object, text: string): void }

/** A scheduled job, run by one replica each time. */
export type Job = {
  /** Letters, digits, `-` and `.`: the name of its queue. */
  name: string
  /** Minute, hour, day of month, month, day of week; in UTC. */
  cron: string
  /** Set where an alert watches that it is done in time; `everyHours` as `cron` says. */
  work?: Pick<JobWork, 'name'> & ({ everyHours: number } | { dueSince: string })
  /** Works in bounded, repeatable steps and ends between two of them on the signal; returns counts. */
  run(services: Services, signal: AbortSignal, logger: JobLogger): Promise<Record<string, number>>
}

/** Work polled for continuously, by one replica at a time. */
export type SingletonTask = {
  /** Letters, digits, `-` and `.`: the name of its lease. */
  name: string
  everyMs: number
  /** The kinds of work it does, for the alert on late work. */
  work: readonly JobWork[]
  /** One poll, in repeatable steps; ends between two of them on the signal. */
  run(services: Services, signal: AbortSignal): Promise<void>
}
