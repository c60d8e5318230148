import { citusAddress } from './citus.ts'
import type { FreshDatabase } from './fresh-database.ts'

/** On Citus the locks are on the machines of the rows. */
const waitingSql = () =>
  citusAddress()
    ? 'select distinct waiting_gpid from citus_lock_waits'
    : `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`

/** How many transactions wait for a lock of another. */
export const lockWaits = async ({ query }: FreshDatabase): Promise<number> =>
  (await query(waitingSql())).length
