import { expendableTables } from '../database/tables/expendable.ts'
import { type BulkConnection, quoted } from '../database/transactions/bulk-copy.ts'
import { keysAcrossShards } from '../database/upkeep/citus/placements.ts'
import type { BackupTable, Partition } from './header.ts'

/** A table without its generated columns. */
export type Table = Omit<BackupTable, 'rows'>

type Reference = { of: string; to: string }

const ours = `c.relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend d
  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

// Leases are about running processes. Partitions belong to their table.
const left = ['migrations', 'leases', ...expendableTables].map((name) => `'${name}'`).join(', ')
const kept = `${ours} and c.relkind in ('r', 'p')
  and not c.relispartition and c.relname not in (${left})`

const tablesSql = `
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where ${kept} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`

const referencesSql = `
  select c.relname::text as of, target.relname::text as to
  from pg_constraint o
  join pg_class c on c.oid = o.conrelid
  join pg_class target on target.oid = o.confrelid
  where o.contype = 'f' and o.conrelid <> o.confrelid and ${kept}`

const partitionsSql = `
  select part.relname::text as name, parent.relname::text as parent,
    pg_get_expr(part.relpartbound, part.oid) as bound, pg_get_partkeydef(part.oid) as key
  from pg_class c
  cross join pg_partition_tree(c.oid) t
  join pg_class part on part.oid = t.relid
  join pg_class parent on parent.oid = t.parentrelid
  where ${kept} and c.relkind = 'p' and t.level > 0
  order by t.level, part.relname`

/**
 * All tables of the schema, each after those that its foreign keys point to: also the keys that only
 * one PostgreSQL has, as what is backed up on Citus may be restored into one.
 */
export async function readTables(client: BulkConnection): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(tablesSql)
  const { rows: references } = await client.query<Reference>(referencesSql)
  return referencedFirst(tables, [...references, ...keysAcrossShards])
}

function referencedFirst(tables: Table[], references: Reference[]): Table[] {
  const ordered: Table[] = []
  let waiting = tables
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const isWaiting = ({ name }: Table) =>
      references.some(({ of, to }) => of === name && names.has(to))
    const ready = waiting.filter((table) => !isWaiting(table))
    if (ready.length === 0) throw new Error(`foreign keys form a cycle: ${[...names].join(', ')}`)
    ordered.push(...ready)
    waiting = waiting.filter(isWaiting)
  }
  return ordered
}

/** All partitions, each before its own. */
export const readPartitions = async (client: BulkConnection): Promise<Partition[]> =>
  (await client.query<Partition>(partitionsSql)).rows

/** Names of the applied migrations; null if the service never used this database. */
export async function readMigrationNames(client: BulkConnection): Promise<string[] | null> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('migrations') is not null as known`,
  )
  if (!rows[0]?.known) return null
  const names = await client.query<{ name: string }>('select name from migrations order by name')
  return names.rows.map(({ name }) => name)
}

/** Locks the tables: `access share` blocks only schema changes, the other mode writes too. */
export async function lockTables(
  client: BulkConnection,
  tables: readonly Table[],
  mode: 'access share' | 'share row exclusive',
): Promise<void> {
  if (tables.length === 0) return
  const names = tables.map(({ name }) => quoted(name)).join(', ')
  await client.query(`lock table ${names} in ${mode} mode`)
}

const columnList = ({ columns }: Table) => columns.map(quoted).join(', ')

/** A query, as COPY cannot read a partitioned table directly. */
export const selectAll = (table: Table): string =>
  `select ${columnList(table)} from ${quoted(table.name)}`

export const intoTable = (table: Table): string => `${quoted(table.name)} (${columnList(table)})`

export async function countRows(client: BulkConnection, { name }: Table): Promise<number> {
  const sql = `select count(*) as rows from ${quoted(name)}`
  const { rows } = await client.query<{ rows: string }>(sql)
  return Number(rows[0]?.rows)
}

// Partitions and indexes go with their table.
const dropsSql = `
  select format('drop %s if exists %s cascade',
    case c.relkind when 'v' then 'view' else 'table' end, c.oid::regclass) as sql
  from pg_class c where ${ours} and c.relkind in ('r', 'p', 'v') and not c.relispartition
  union all
  select format('drop routine if exists %s cascade', p.oid::regprocedure)
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and not exists (
    select from pg_depend d
    where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

/** Resets the schema to its state before the first migration. */
export async function dropEverything(client: BulkConnection): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(dropsSql)
  for (const { sql } of rows) await client.query(sql)
}
