import type { Services } from '../../kernel/context.ts'

const keptAfterEndMs = 30 * 24 * 60 * 60 * 1000
const purgedAtOnce = 1_000

const purgeSql = `
  delete from sessions where ctid = any(array(
    select ctid from sessions where least(ended_at, expires_at) < $1
    order by least(ended_at, expires_at) limit $2 for update skip locked))
  returning 1`

/** Housekeeping steps back for whoever holds a lock that it wants. */
const patience = { sql: `set local lock_timeout = '2s'`, parameters: [] }

/** Deletes sessions that ended or expired more than 30 days ago, some at a time. */
export async function purgeSessions({ database, clock }: Services, signal: AbortSignal) {
  const oldest = new Date(clock.now().getTime() - keptAfterEndMs).toISOString()
  const statement = { sql: purgeSql, parameters: [oldest, purgedAtOnce] }
  let purged = 0
  for (let last = purgedAtOnce; last === purgedAtOnce && !signal.aborted; purged += last) {
    last = await database.transaction(async (tx) => {
      tx.send(patience)
      return (await tx.query(statement)).length
    })
  }
  return { purged }
}
