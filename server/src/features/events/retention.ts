import type { Services } from '../../kernel/context.ts'
import { purge } from '../../kernel/purge.ts'

export const keptDays = 30
const keptMs = keptDays * 24 * 60 * 60 * 1000

const purgeSql = `
  delete from events where ctid = any(array(
    select ctid from events where occurred_at < $1
    order by occurred_at limit $2 for update skip locked))
  returning 1`

/** The next sequence is the head's to tell, so it counts on though the newest event is gone. */
export const purgeEvents = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(database, { sql: purgeSql, oldest: new Date(clock.now().getTime() - keptMs) }, signal)
