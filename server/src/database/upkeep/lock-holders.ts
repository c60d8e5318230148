import type pg from 'pg'
import { ask } from './migration-client.ts'

/** An advisory lock by its key, or any table of this database locked for a second or longer. */
type Held = { advisory: number } | 'tables'

const heldSql = (held: Held): string =>
  held === 'tables'
    ? `l.locktype = 'relation' and l.relation >= 16384
       and a.xact_start < clock_timestamp() - interval '1 second'`
    : `l.locktype = 'advisory' and l.objid = ${held.advisory}`

/** The session that has held it longest, for a message: 'flightdeck backup create (pid 42, since …)'. */
export async function holderOf(client: pg.ClientBase, held: Held): Promise<string> {
  const { rows } = await ask(
    client,
    `
    select a.pid, coalesce(nullif(a.application_name, ''), 'a session') as name, a.xact_start as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.granted and a.datname = current_database() and a.pid <> pg_backend_pid()
      and ${heldSql(held)}
    order by a.xact_start limit 1`,
  )
  const [holder] = rows
  if (!holder) return 'other transactions'
  const since = holder.since ? `, since ${holder.since.toISOString()}` : ''
  return `${holder.name} (pid ${holder.pid}${since})`
}
