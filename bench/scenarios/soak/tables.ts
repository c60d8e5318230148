import type pg from 'pg'

/** A table with its indexes, by its name. */
export type Table = { name: string; bytes: number; live: number; dead: number }

const tablesSql = `
  select schemaname || '.' || relname as name, pg_total_relation_size(relid)::float8 as bytes,
    n_live_tup::float8 as live, n_dead_tup::float8 as dead
  from pg_stat_user_tables where pg_total_relation_size(relid) > 0`

export async function readTables(db: pg.Client): Promise<Table[]> {
  return (await db.query<Table>(tablesSql)).rows
}

const leastRows = 1_000
const leastBytes = 1024 * 1024

/**
 * How many times as much a table takes as it would if it had grown by its rows alone. Small ones take
 * less than a MB whatever happens, and count as 1.
 */
export function bloatOf(before: Table, after: Table): number {
  const rows = (table: Table) => Math.max(leastRows, table.live)
  const expected = before.bytes * Math.max(1, rows(after) / rows(before))
  return after.bytes - expected < leastBytes ? 1 : after.bytes / expected
}
