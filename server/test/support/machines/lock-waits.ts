import { citusAddress } from './citus.ts'
import type { FreshDatabase } from './fresh-database.ts'

const waitingSql = `select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** On Citus the locks are on the machines of the rows. */
const onWorkersSql = `select sum(result::int)::int as waiting
  from run_command_on_workers($$${waitingSql}$$)`

/** How many transactions wait for a lock of another. */
export async function lockWaits({ query }: FreshDatabase): Promise<number> {
  const [row] = await query<{ waiting: number }>(citusAddress() ? onWorkersSql : waitingSql)
  return row?.waiting ?? 0
}
