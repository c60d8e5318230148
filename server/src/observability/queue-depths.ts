import type { Reader } from '../database/database.ts'
import type { Clock } from '../values/clock.ts'

/** What waits in the database, for whichever process: each of them tells the same. */
export type QueueDepths = {
  deliveriesPending: number
  /** Since when the oldest has been due of those that nothing holds back; 0 when none is. */
  oldestPendingSeconds: number
  jobsPending: readonly { queue: string; count: number }[]
}

/** Nobody needs to know how many more it is. Counting stops here, so that it stays cheap. */
export const maxCounted = 10_000

const keptMs = 5_000
const answersWithinMs = 2_000

/** Asked by however many, it looks once in five seconds; undefined when the database is away. */
export function queueDepths(reader: Reader, clock: Clock): () => Promise<QueueDepths | undefined> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let known: Promise<QueueDepths | undefined> = Promise.resolve(undefined)
  return () => {
    if (performance.now() - lookedAt < keptMs) return known
    lookedAt = performance.now()
    known = withTimeout(look(reader, clock.now())).catch(() => undefined)
    return known
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), answersWithinMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function look(reader: Reader, now: Date): Promise<QueueDepths> {
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

const pendingSql = `
  select count(*)::integer as count
  from (select from webhook_deliveries where status = 'pending' limit $1) as pending`

/** Among those due for longest: of more than that, all held back, the ones behind do not show. */
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

/** Until a process with background work has made the queue, there is none. */
async function jobsIn(reader: Reader): Promise<QueueDepths['jobsPending']> {
  try {
    return await reader.query({ sql: jobsSql, parameters: [maxCounted + 1] })
  } catch (error) {
    if ((error as { code?: string }).code === missingTable) return []
    throw error
  }
}
