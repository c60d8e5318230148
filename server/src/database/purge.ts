import type { Clock } from '../values/clock.ts'
import type { Database } from './database.ts'

const batchSize = 1_000

/** Housekeeping steps back for whoever holds a lock that it wants. */
const lockTimeout = { sql: `set local lock_timeout = '2s'`, parameters: [] }

/** `endedAt` is SQL for when a row came to its end; an index has it. */
type PurgeOptions = { table: string; endedAt: string; keptMs: number }

/** Whoever has a row locked uses it, or makes it new: it is not waited for. */
const purgeSql = ({ table, endedAt }: PurgeOptions) => `
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${endedAt} < $1
    order by ${endedAt} limit $2 for update skip locked))
  returning 1`

/** Deletes rows that ended so long ago, some at a time. Returns how many these were. */
export async function purge(
  { database, clock }: { database: Database; clock: Clock },
  wish: PurgeOptions,
  signal: AbortSignal,
): Promise<{ purged: number }> {
  const oldest = new Date(clock.now().getTime() - wish.keptMs).toISOString()
  const statement = { sql: purgeSql(wish), parameters: [oldest, batchSize] }
  let purged = 0
  for (let last = batchSize; last === batchSize && !signal.aborted; purged += last) {
    last = await database.transaction(async (tx) => {
      tx.send(lockTimeout)
      return (await tx.write(statement)).length
    })
  }
  return { purged }
}
