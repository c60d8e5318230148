import type { Services } from '../context.ts'
import { purge } from '../purge.ts'

/** Ended windows stay this long, so that no clock's error ends one that is open. */
const keptForMs = 60 * 60 * 1000

// Locked rows are skipped: a window that opens anew right now is in use.
const purgeSql = `
  delete from rate_limits where ctid = any(array(
    select ctid from rate_limits where expires_at < $1
    order by expires_at limit $2 for update skip locked))
  returning 1`

export const purgeRateLimits = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(database, { sql: purgeSql, oldest: new Date(clock.now().getTime() - keptForMs) }, signal)
