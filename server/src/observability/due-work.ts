import type { Reader } from '../database/database.ts'
import type { Clock } from '../values/clock.ts'
import { atScrape } from './at-scrape.ts'

/** Work that becomes due by the clock, as its metrics see it. */
export type DueWork = {
  /** The label `work`. */
  name: string
  /** The scheduled job or polling task that does it. */
  task: string
  /**
   * SQL of the time since which the oldest is due, or null; answered by an index. `$1` is the real time:
   * what only the clock of a sandbox has made due is not late.
   */
  dueSince: string
}

/** One work now. */
export type WorkState = {
  work: string
  /** How long the oldest has been due; 0 while none is. */
  lateSeconds: number
  /** When its task last found all done, in seconds since the epoch; the database's creation before. */
  succeededAt: number
}

/** Undefined when the database does not answer. The same from every process. */
export const dueWorkOf = (reader: Reader, measured: Measured) =>
  atScrape(() => measureWork(reader, measured))

type Measured = { works: readonly DueWork[]; clock: Clock }

/** One statement, the time by the clock; each part reads the first entry of an index. */
export function measureWork(reader: Reader, { works, clock }: Measured): Promise<WorkState[]> {
  const parameters = [clock.now().toISOString(), works.map(({ task }) => task)]
  return reader.query<WorkState>({ sql: statementOf(works), parameters })
}

export const statementOf = (works: readonly DueWork[]): string => `
  select w.work, coalesce(greatest(extract(epoch from $1::timestamptz - w.since), 0), 0)::float8
      as "lateSeconds",
    extract(epoch from coalesce(s.succeeded_at, installed.at))::float8 as "succeededAt"
  from (${works.map(partOf).join(' union all ')}) as w
  cross join (select min(applied_at) as at from migrations) as installed
  left join task_successes s on s.task = ($2::text[])[w.place]
  order by w.work`

const partOf = ({ name, dueSince }: DueWork, at: number) =>
  `select '${name}' as work, ${at + 1} as place, (${dueSince}) as since`
