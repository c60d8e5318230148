import type { PgBoss } from 'pg-boss'

/** Gives a sign of life for jobs that this process holds; answers those that it really holds still. */
export async function stillHeld(
  boss: PgBoss,
  queue: string,
  jobIds: string[],
): Promise<ReadonlySet<string>> {
  // pg-boss answers the ids, but its types do not say so.
  const { settled = [] } = (await boss.touch(queue, jobIds)) as { settled?: string[] }
  return new Set(settled)
}
