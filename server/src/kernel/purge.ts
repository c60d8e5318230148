import type { Database } from '../database/database.ts'

const purgedAtOnce = 1_000

/** Housekeeping steps back for whoever holds a lock that it wants. */
const patience = { sql: `set local lock_timeout = '2s'`, parameters: [] }

/**
 * Deletes rows older than a time, some at a time. The statement takes the time and the most rows,
 * and returns a row for each that it deleted. Returns how many these were.
 */
export async function purge(
  database: Database,
  { sql, oldest }: { sql: string; oldest: Date },
  signal: AbortSignal,
): Promise<{ purged: number }> {
  const statement = { sql, parameters: [oldest.toISOString(), purgedAtOnce] }
  let purged = 0
  for (let last = purgedAtOnce; last === purgedAtOnce && !signal.aborted; purged += last) {
    last = await database.transaction(async (tx) => {
      tx.send(patience)
      return (await tx.query(statement)).length
    })
  }
  return { purged }
}
