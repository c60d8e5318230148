import type { Reader } from '../database/database.ts'
import type { Clock } from '../values/clock.ts'
import { errorCode } from '../values/errors.ts'
import { atScrape } from './at-scrape.ts'

/** Pending work in the database: the same value from every process. */
export type QueueDepths = {
  deliveriesPending: number
  /** How long the oldest delivery has been due, without those held back; 0 when there is none. */
  oldestPendingSeconds: number
  jobsPending: readonly { queue: string; count: number }[]
}

/** Counting stops here, so that it stays cheap. */
export const maxCounted = 10_000

/** Undefined when the database does not answer. */
export const queueDepths = (
  reader: Reader,
  clock: Clock,
): (() => Promise<QueueDepths | undefined>) => atScrape(() => measureQueues(reader, clock.now()))

export async function measureQueues(reader: Reader, now: Date): Promise<QueueDepths> {
  const count = { sql: pendingSql, parameters: [maxCounted + 1] }
  const oldest = { sql: oldestSql, parameters: [now.toISOString(), maxCounted] }
  const [[pending], [due], jobsPending] = await Promise.all([
    reader.query<{ count: number }>(count),
    reader.query<{ since: string | null }>(oldest),
    jobsIn(reader),
  ])
  const since = due?.since ?? null
  return {
    deliveriesPending: pending?.count ?? 0,
    oldestPendingSeconds: since === null ? 0 : (now.getTime() - Date.parse(since)) / 1000,
    jobsPending,
  }
}

// With a column in the inner query: without one, Citus cannot pass its rows on.
const pendingSql = `
  select count(*)::integer as count
  from (select 1 from webhook_deliveries where status = 'pending' limit $1) as pending`

/** Looks at the longest due only: if that many are all held back, those behind do not show. */
const oldestSql = `
  select min(d.next_attempt_at) as since
  from (
    select organization_id, endpoint_id, next_attempt_at from webhook_deliveries
    where status = 'pending' and next_attempt_at <= $1 order by next_attempt_at limit $2
  ) d
  join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
  where e.status = 'enabled' and (e.paused_until is null or e.paused_until <= $1)`

const jobsSql = `
  select q.name as queue, waiting.count::integer as count
  from pgboss.queue q
  cross join lateral (
    select count(*) from (
      select from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
      limit $1
    ) as due
  ) as waiting
  order by q.name`

const missingTable = '42P01'

/** Empty until a process with background work has created the queue. */
async function jobsIn(reader: Reader): Promise<QueueDepths['jobsPending']> {
  try {
    return await reader.query({ sql: jobsSql, parameters: [maxCounted + 1] })
  } catch (error) {
    if (errorCode(error) === missingTable) return []
    throw error
  }
}
