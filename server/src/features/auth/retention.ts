import type { Services } from '../../kernel/context.ts'
import { purge } from '../../kernel/purge.ts'

const keptAfterEndMs = 30 * 24 * 60 * 60 * 1000

const purgeSql = `
  delete from sessions where ctid = any(array(
    select ctid from sessions where least(ended_at, expires_at) < $1
    order by least(ended_at, expires_at) limit $2 for update skip locked))
  returning 1`

/** Deletes sessions that ended or expired more than 30 days ago. */
export const purgeSessions = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(
    database,
    { sql: purgeSql, oldest: new Date(clock.now().getTime() - keptAfterEndMs) },
    signal,
  )
