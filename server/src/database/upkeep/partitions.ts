import type { Clock } from '../../values/clock.ts'
import { deliveryIds, eventIds } from '../../values/core-ids.ts'
import { firstIdAt } from '../../values/ids.ts'
import { hasKey, keysOf } from '../../values/objects.ts'
import type { Database, Reader, Transaction } from '../database.ts'
import { sqlErrorOf } from '../driver/sql-error.ts'
import { transactionSettings } from './citus/settings.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** A Monday. */
const firstWeekMs = 4 * dayMs

type Width = 'day' | 'week' | 'month'

/** How a table is partitioned: by real time, as an organization's clock may be ahead. */
type Partitioning = {
  width: Width
  /** Partitions created ahead, beyond the current one. */
  ahead: number
  /** The lower bound of the partition key for a time, as PostgreSQL prints it. */
  boundAt(time: Date): string
}

const byDelivery: Partitioning = {
  width: 'week',
  ahead: 2,
  boundAt: (time) => firstIdAt(deliveryIds, time),
}

/**
 * Wide enough for few partitions, narrow compared with the retention. Those ahead last for days
 * without the job; after that, a write that finds no partition has them created.
 */
const partitionings = {
  audit_logs: { width: 'month', ahead: 2, boundAt: dateText },
  events: { width: 'week', ahead: 2, boundAt: (time) => firstIdAt(eventIds, time) },
  webhook_deliveries: byDelivery,
  webhook_attempts: byDelivery,
  idempotency_keys: { width: 'day', ahead: 3, boundAt: timeText },
  // By the day that a result is of: see `makeMonths`.
  results: { width: 'month', ahead: 2, boundAt: dateText },
} as const satisfies Record<string, Partitioning>

export type PartitionedTable = keyof typeof partitionings
const tables = keysOf(partitionings)

export const isPartitioned = (table: string): boolean => hasKey(partitionings, table)

/** The day of a time, in UTC. */
export function dateText(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function timeText(time: Date): string {
  return `${dateText(time)} ${time.toISOString().slice(11, 19)}+00`
}

function startOf(width: Width, time: Date): Date {
  if (width === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()))
  const ms = time.getTime()
  return new Date(ms - (width === 'day' ? ms % dayMs : (ms - firstWeekMs) % weekMs))
}

function startAfter(width: Width, start: Date): Date {
  if (width !== 'month') return new Date(start.getTime() + (width === 'day' ? dayMs : weekMs))
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
}

type Partition = { table: PartitionedTable; name: string; from: string; to: string }

/** The partition for a time, and those ahead of it. */
function partitionsFrom(
  table: PartitionedTable,
  time: Date,
  { ahead }: Pick<Partitioning, 'ahead'> = partitionings[table],
): Partition[] {
  const { width, boundAt } = partitionings[table]
  const partitions: Partition[] = []
  let start = startOf(width, time)
  for (let created = 0; created <= ahead; created += 1) {
    const end = startAfter(width, start)
    const name = `${table}_${dateText(start).replaceAll('-', '')}`
    partitions.push({ table, name, from: boundAt(start), to: boundAt(end) })
    start = end
  }
  return partitions
}

/** Any constant that no other lock uses: one process at a time creates partitions. */
const partitionLock = 7_352_117
const lock = { sql: `select pg_advisory_xact_lock(${partitionLock})`, parameters: [] }

/** Creates the missing partitions for a time and those ahead. Usually none is missing. */
export const makePartitions = (database: Database, time: Date): Promise<{ made: number }> =>
  makeMissing(
    database,
    tables.flatMap((table) => partitionsFrom(table, time)),
  )

const makeMissing = (database: Database, wanted: readonly Partition[]): Promise<{ made: number }> =>
  database.transaction(async (tx) => {
    for (const sql of transactionSettings) tx.send({ sql, parameters: [] })
    tx.send(lock)
    const existing = new Set(await namesIn(tx))
    const missing = wanted.filter(({ name }) => !existing.has(name))
    for (const sql of missing.flatMap(creationOf)) tx.send({ sql, parameters: [] })
    await protectAuditLogs(tx)
    return { made: missing.length }
  })

/** All days before are in one partition, which the migration made. */
const firstMonthOfResults = '2024-01'
const knownMonths = new WeakMap<Database, Set<string>>()

/** Creates the missing partitions of results for these days; each month is looked for once. */
export async function makeMonths(database: Database, days: Iterable<string>): Promise<void> {
  const known = knownMonths.get(database) ?? new Set<string>()
  knownMonths.set(database, known)
  const months = new Set([...days].map((day) => day.slice(0, 7)))
  const asked = [...months].filter((month) => month >= firstMonthOfResults && !known.has(month))
  if (asked.length === 0) return
  const wanted = asked.flatMap((month) =>
    partitionsFrom('results', new Date(`${month}-01`), { ahead: 0 }),
  )
  await makeMissing(database, wanted)
  for (const month of asked) known.add(month)
}

const namesSql = `
  select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = any($1::regclass[])`

const namesIn = async (tx: Transaction): Promise<string[]> =>
  (await tx.query<{ name: string }>({ sql: namesSql, parameters: [tables] })).map(
    ({ name }) => name,
  )

/** Created separately and then attached, so as not to block reads and writes of the table. */
const creationOf = ({ table, name, from, to }: Partition): string[] => [
  `create table ${name} (like ${table} including defaults including constraints)`,
  `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
]

// Row triggers are inherited; truncate triggers are not, and a restored partition lacks this one.
const unprotectedSql = `
  select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'audit_logs'::regclass and not exists (
    select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'audit_logs_are_never_emptied')`

async function protectAuditLogs(tx: Transaction): Promise<void> {
  const unprotected = await tx.query<{ name: string }>({ sql: unprotectedSql, parameters: [] })
  for (const { name } of unprotected) {
    const trigger = `create trigger audit_logs_are_never_emptied before truncate on ${name}
      for each statement execute function refuse_audit_change()`
    tx.send({ sql: trigger, parameters: [] })
    const always = `alter table ${name} enable always trigger audit_logs_are_never_emptied`
    tx.send({ sql: always, parameters: [] })
  }
}

/** A row has no partition, as when the process was suspended for weeks. */
export const isWithoutPartition = (error: unknown): boolean => {
  const { code, constraint, table = '' } = sqlErrorOf(error)
  return code === '23514' && constraint === undefined && isPartitioned(table)
}

/** A partition with only rows from before a time. */
export type PastPartition = { name: string; upper: string }

const boundsSql = `
  select c.relname::text as name,
    substring(pg_get_expr(c.relpartbound, c.oid) from $b$ TO \\('([^']+)'\\)$b$) as upper
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = $1::regclass`

/** Partitions that end before a time, the oldest first. */
export async function pastPartitions(
  reader: Reader,
  table: PartitionedTable,
  time: Date,
): Promise<PastPartition[]> {
  const partitions = await reader.query<PastPartition>({ sql: boundsSql, parameters: [table] })
  const bound = partitionings[table].boundAt(time)
  return partitions
    .filter(({ upper }) => upper <= bound)
    .sort((a, b) => (a.upper < b.upper ? -1 : 1))
}

/** Short, as writes of the table queue behind a drop that waits for its lock. */
const lockTimeout = { sql: `set local lock_timeout = '300ms'`, parameters: [] }

/** Drops partitions together, or none when their tables are locked. */
export const dropPartitions = (database: Database, names: readonly string[]): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send(lockTimeout)
    for (const name of names) tx.send({ sql: `drop table if exists ${name}`, parameters: [] })
  })

type Retention = { table: PartitionedTable; keptMs: number }

/** Drops the partitions of a table with only rows older than `keptMs`. */
export async function dropPastPartitions(
  { database, clock }: { database: Database; clock: Clock },
  { table, keptMs }: Retention,
  signal: AbortSignal,
): Promise<{ dropped: number }> {
  const oldest = new Date(clock.now().getTime() - keptMs)
  let dropped = 0
  for (const { name } of await pastPartitions(database.reader, table, oldest)) {
    if (signal.aborted) break
    await dropPartitions(database, [name])
    dropped += 1
  }
  return { dropped }
}

export const makePartitionsAhead = ({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): Promise<{ made: number }> => makePartitions(database, clock.now())
