import type pg from 'pg'

/** A table with its indexes, by its name; `copied` is what a copy of its rows takes, if one was made. */
export type Table = { name: string; bytes: number; live: number; dead: number; copied?: number }

const tablesSql = `
  select schemaname || '.' || relname as name, pg_total_relation_size(relid)::float8 as bytes,
    n_live_tup::float8 as live, n_dead_tup::float8 as dead
  from pg_stat_user_tables where pg_total_relation_size(relid) > 0`

export async function readTables(db: pg.Client): Promise<Table[]> {
  return (await db.query<Table>(tablesSql)).rows
}

const leastRows = 1_000
const leastBytes = 1024 * 1024

/** Copies those that had too few rows before for their growth to say anything. */
export async function withCopies(
  db: pg.Client,
  before: readonly Table[],
  tables: readonly Table[],
): Promise<Table[]> {
  const many = new Set(before.filter(({ live }) => live >= leastRows).map(({ name }) => name))
  const all: Table[] = []
  for (const table of tables) {
    const isCompared = many.has(table.name) || table.bytes < leastBytes
    all.push(isCompared ? table : { ...table, copied: await bytesOfCopy(db, table.name) })
  }
  return all
}

async function bytesOfCopy(db: pg.Client, name: string): Promise<number> {
  await db.query('begin')
  try {
    const like = `like ${name} including all excluding generated excluding identity`
    await db.query(`create temp table soak_copy (${like})`)
    await db.query(`insert into soak_copy select * from ${name}`)
    const sql = "select pg_total_relation_size('soak_copy')::float8 as bytes"
    return (await db.query<{ bytes: number }>(sql)).rows[0]?.bytes ?? 0
  } finally {
    await db.query('rollback')
  }
}

/**
 * How many times as much a table takes as its copy, or as it would if it had grown by its rows alone.
 * Small ones take less than a MB whatever happens, and count as 1.
 */
export function bloatOf(before: Table, after: Table): number {
  const grown = before.bytes * Math.max(1, after.live / Math.max(1, before.live))
  const expected = after.copied ?? grown
  return after.bytes - expected < leastBytes ? 1 : after.bytes / expected
}
