import type { Clock } from '../../values/clock.ts'
import type { Database } from '../database.ts'

const batchSize = 1_000

/** Housekeeping gives way to other holders of its locks. */
const lockTimeout = { sql: `set local lock_timeout = '2s'`, parameters: [] }

/** `endedAt` is an indexed SQL expression for the time a row ended. */
type PurgeOptions = { table: string; endedAt: string; keptMs: number }

/** Skips locked rows, as they are in use or being renewed. */
const purgeSql = ({ table, endedAt }: PurgeOptions) => `
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${endedAt} < $1
    order by ${endedAt} limit $2 for update skip locked))
  returning 1`

/** Deletes rows that ended more than `keptMs` ago, in batches. Returns their number. */
export async function purge(
  { database, clock }: { database: Database; clock: Clock },
  options: PurgeOptions,
  signal: AbortSignal,
): Promise<{ purged: number }> {
  const oldest = new Date(clock.now().getTime() - options.keptMs).toISOString()
  const statement = { sql: purgeSql(options), parameters: [oldest, batchSize] }
  let purged = 0
  for (let last = batchSize; last === batchSize && !signal.aborted; purged += last) {
    last = await database.transaction(async (tx) => {
      tx.send(lockTimeout)
      return (await tx.write(statement)).length
    })
  }
  return { purged }
}
