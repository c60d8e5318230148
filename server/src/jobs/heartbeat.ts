import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'

/** Sends a heartbeat for the jobs of this process; returns the ids that it still holds. */
export async function touchJobs(
  boss: PgBoss,
  queue: string,
  jobIds: string[],
): Promise<ReadonlySet<string>> {
  // pg-boss answers the ids, but its types do not say so.
  const { settled: held = [] } = (await boss.touch(queue, jobIds)) as { settled?: string[] }
  return new Set(held)
}

const retryMs = 250

/**
 * Releases jobs, with retries until `isOver`: a job left held blocks its queue until its heartbeat
 * expires.
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
