import type { Clock } from '../../values/clock.ts'
import type { Database } from '../database.ts'
import type { Statement } from '../driver/protocol.ts'
import { isUnsupported } from '../driver/sql-error.ts'

const batchSize = 1_000

/** Housekeeping gives way to other holders of its locks. */
const lockTimeout = { sql: `set local lock_timeout = '2s'`, parameters: [] }

/** `endedAt` is an indexed SQL expression for the time a row ended. */
type PurgeOptions = { table: string; endedAt: string; keptMs: number }

/** Skips locked rows, as they are in use or being renewed. */
const purgeSql = ({ table, endedAt }: PurgeOptions, where = 'true') => `
  delete from ${table} where ${where} and ctid = any(array(
    select ctid from ${table} where ${where} and ${endedAt} < $1
    order by ${endedAt} limit $2 for update skip locked))
  returning 1`

const tenantsSql = ({ table, endedAt }: PurgeOptions) => `
  select organization_id from ${table} where ${endedAt} < $1 order by ${endedAt} limit $2`

type Purging = { database: Database; clock: Clock }

/** Deletes rows that ended more than `keptMs` ago, in batches. Returns their number. */
export async function purge(
  { database, clock }: Purging,
  options: PurgeOptions,
  signal: AbortSignal,
): Promise<{ purged: number }> {
  const oldest = new Date(clock.now().getTime() - options.keptMs).toISOString()
  let purged = 0
  for (let last = batchSize; last >= batchSize && !signal.aborted; purged += last) {
    last = await purgeBatch(database, options, oldest)
  }
  return { purged }
}

async function purgeBatch(database: Database, options: PurgeOptions, oldest: string) {
  const statement = { sql: purgeSql(options), parameters: [oldest, batchSize] }
  try {
    return await deleted(database, [statement])
  } catch (error) {
    if (!isUnsupported(error)) throw error
    return await purgeByTenant(database, options, oldest)
  }
}

/** The same on Citus, which locks rows of one shard only, where alone a `ctid` means one row. */
async function purgeByTenant(database: Database, options: PurgeOptions, oldest: string) {
  const parameters = [oldest, batchSize]
  const rows = await database.reader.query<{ organization_id: string }>({
    sql: tenantsSql(options),
    parameters,
  })
  const tenants = [...new Set(rows.map((row) => row.organization_id))]
  const ofTenant = purgeSql(options, 'organization_id = $3')
  return await deleted(
    database,
    tenants.map((tenant) => ({ sql: ofTenant, parameters: [...parameters, tenant] })),
  )
}

const deleted = (database: Database, statements: readonly Statement[]): Promise<number> =>
  database.transaction(async (tx) => {
    tx.send(lockTimeout)
    const rows = await Promise.all(statements.map((statement) => tx.write(statement)))
    return rows.flat().length
  })
