import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'

/** Gives a sign of life for jobs that this process holds; answers those that it really holds still. */
export async function touchJobs(
  boss: PgBoss,
  queue: string,
  jobIds: string[],
): Promise<ReadonlySet<string>> {
  // pg-boss answers the ids, but its types do not say so.
  const { settled = [] } = (await boss.touch(queue, jobIds)) as { settled?: string[] }
  return new Set(settled)
}

const retryMs = 250

/**
 * Ends the holding of jobs, whatever that takes: one that stays held keeps everybody from it until
 * its holder is taken for dead.
 */
export async function releaseJobs(
  { boss, queue, isOver }: { boss: PgBoss; queue: string; isOver: () => boolean },
  jobIds: string[],
): Promise<void> {
  for (;;) {
    try {
      await boss.deleteJob(queue, jobIds)
      return
    } catch (error) {
      if (isOver()) throw error
      await sleep(retryMs, undefined, { ref: false })
    }
  }
}
