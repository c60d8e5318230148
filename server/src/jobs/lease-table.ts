import type { Database } from '../database/database.ts'

/** The table `leases`, as one holder uses it. All times are the database's, so that process clocks do not matter. */
export type LeaseTable = {
  /** Takes those that are free, expired or the holder's own; returns the names taken. */
  acquire(names: readonly string[], forMs: number): Promise<ReadonlySet<string>>
  /** Returns the names that are still the holder's. */
  renew(names: readonly string[], forMs: number): Promise<ReadonlySet<string>>
  release(names: readonly string[]): Promise<void>
  find(prefix: string, state: LeaseState): Promise<FoundLease[]>
}

/** A renewal moves `expiresAt`. */
export type FoundLease = { name: string; expiresAt: string }

export type LeaseState = 'live' | 'expired'

const until = `clock_timestamp() + $3::integer * interval '1 millisecond'`

// The filter first, because a conflict locks the row, and so waits for its holder's renewal.
const acquireSql = `
  insert into leases as held (name, holder, expires_at)
  select asked.name, $2, ${until}
  from unnest($1::text[]) as asked (name)
  where not exists (
    select from leases l
    where l.name = asked.name and l.holder <> $2 and l.expires_at > clock_timestamp())
  order by asked.name collate "C"
  on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where held.holder = excluded.holder or held.expires_at <= clock_timestamp()
  returning held.name`

/** Locked in the order of the names, as `acquireSql` does: two processes cannot deadlock. */
const own = (condition = '') => `own as (
    select name from leases where name = any($1::text[]) and holder = $2 ${condition}
    order by name for update)`

const renewSql = `
  with ${own('and expires_at > clock_timestamp()')}
  update leases l set expires_at = ${until} from own where l.name = own.name
  returning l.name`

const releaseSql = `
  with ${own()}
  delete from leases l using own where l.name = own.name`

const findSql = `
  select name, expires_at as "expiresAt" from leases
  where name ^@ $1 and (expires_at > clock_timestamp()) = $2
  order by expires_at limit 1000`

export function leaseTable(
  { leaseQuery, reader }: Pick<Database, 'leaseQuery' | 'reader'>,
  holder: string,
): LeaseTable {
  const write = async (sql: string, names: readonly string[], ...more: number[]) => {
    const rows = await leaseQuery<{ name: string }>({ sql, parameters: [names, holder, ...more] })
    return new Set(rows.map(({ name }) => name))
  }
  return {
    acquire: (names, forMs) => write(acquireSql, names, forMs),
    renew: (names, forMs) => write(renewSql, names, forMs),
    release: async (names) => void (await write(releaseSql, names)),
    find: (prefix, state) => reader.query({ sql: findSql, parameters: [prefix, state === 'live'] }),
  }
}
