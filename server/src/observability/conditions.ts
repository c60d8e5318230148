import type { Reader } from '../database/database.ts'
import { atScrape } from './at-scrape.ts'
import { maxCounted } from './queue-depths.ts'

/** Conditions that an operator should know of, from the database: the same from every process. */
export type Conditions = {
  proxiesFailing: number
  /** Endpoints that the service has disabled, as they were gone or failed for days. */
  endpointsGivenUp: number
  /** Organizations whose audit chain was broken when it was last verified. */
  chainsBroken: number
  /** When each task last succeeded, in seconds since the epoch. */
  successes: readonly { task: string; seconds: number }[]
}

/** Undefined when the database does not answer. */
export const conditionsOf = (reader: Reader): (() => Promise<Conditions | undefined>) =>
  atScrape(() => measureConditions(reader))

export async function measureConditions(reader: Reader): Promise<Conditions> {
  const [[counts], successes] = await Promise.all([
    reader.query<Counts>({ sql: conditionCountsSql, parameters: [maxCounted + 1] }),
    reader.query<Conditions['successes'][number]>({ sql: successesSql, parameters: [] }),
  ])
  const { proxies = 0, endpoints = 0, chains = 0 } = counts ?? {}
  return { proxiesFailing: proxies, endpointsGivenUp: endpoints, chainsBroken: chains, successes }
}

type Counts = { proxies: number; endpoints: number; chains: number }

/** `$1` is where counting stops. */
export const conditionCountsSql = `
  select
    (select count(*) from (select 1 from proxies where status = 'failing' limit $1) f)::integer
      as proxies,
    (select count(*) from (
      select 1 from webhook_endpoints where status = 'disabled' and disabled_reason <> 'manual' limit $1
    ) g)::integer as endpoints,
    (select count(*) from (
      select 1 from audit_verifications where broken_at is not null limit $1
    ) h)::integer as chains`

/** Until a task that an alert watches has first succeeded, its time is that of the database's creation. */
const successesSql = `
  select coalesce(s.task, watched.task) as task,
    extract(epoch from coalesce(s.succeeded_at, (select min(applied_at) from migrations)))::float8
      as seconds
  from task_successes s
  full join (values ('backup.create'), ('backup.verified'), ('audit-logs.checkpoint')) watched (task)
    on watched.task = s.task
  order by 1`
