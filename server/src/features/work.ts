import { makePartitionsAhead } from '../database/upkeep/partitions.ts'
import { dueWorksOf } from '../jobs/due-work.ts'
import type { Job, SingletonTask } from '../jobs/job.ts'
import { purgeIdempotencyKeys } from '../kernel/idempotency.ts'
import { purgeRateLimits } from '../limits/counters/purge.ts'
import { mailSending } from '../mail/send-due.ts'
import { features } from './index.ts'

/** All scheduled jobs. */
export const jobs: readonly Job[] = [
  ...features.flatMap((feature) => feature.jobs ?? []),
  { name: 'idempotency-keys.purge', cron: '23 * * * *', run: purgeIdempotencyKeys },
  {
    name: 'partitions.make',
    cron: '11 * * * *',
    work: { name: 'partitions', everyHours: 1 },
    run: makePartitionsAhead,
  },
  { name: 'rate-limits.purge', cron: '*/10 * * * *', run: purgeRateLimits },
]

/** All tasks that poll continuously. */
export const singletonTasks: readonly SingletonTask[] = [
  ...features.flatMap((feature) => feature.duties ?? []),
  mailSending,
]

/** The kinds of work that become due by the clock, whichever process does them. */
export const dueWorks = dueWorksOf(singletonTasks, jobs)
