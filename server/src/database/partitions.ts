import type { Clock } from '../values/clock.ts'
import { firstIdAt } from '../values/ids.ts'
import type { Database, Reader, Transaction } from './database.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** A Monday. */
const firstWeekMs = 4 * dayMs

type Width = 'day' | 'week' | 'month'

/** By what a table is partitioned: always real time, though an organization's own may be ahead. */
type Partitioning = {
  width: Width
  /** Partitions made beyond the one of now. */
  ahead: number
  /** The first value of the partition key at a time, as PostgreSQL prints it. */
  boundAt(time: Date): string
}

const byDelivery: Partitioning = {
  width: 'week',
  ahead: 2,
  boundAt: (time) => firstIdAt('delivery', time),
}

/**
 * As wide as makes few of them, and narrow against how long rows are kept. What is ahead lasts for
 * days without the job; beyond that a write that finds no partition has them made.
 */
const partitionings = {
  audit_logs: { width: 'month', ahead: 2, boundAt: dateText },
  events: { width: 'week', ahead: 2, boundAt: (time) => firstIdAt('event', time) },
  webhook_deliveries: byDelivery,
  webhook_attempts: byDelivery,
  idempotency_keys: { width: 'day', ahead: 3, boundAt: timeText },
} as const satisfies Record<string, Partitioning>

export type PartitionedTable = keyof typeof partitionings
const tables = Object.keys(partitionings) as PartitionedTable[]

export const isPartitioned = (table: string): boolean => tables.some((name) => name === table)

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

/** The partition of a time, and those ahead of it. */
function partitionsFrom(table: PartitionedTable, time: Date): Partition[] {
  const { width, ahead, boundAt } = partitionings[table]
  const partitions: Partition[] = []
  let start = startOf(width, time)
  for (let made = 0; made <= ahead; made += 1) {
    const end = startAfter(width, start)
    const name = `${table}_${dateText(start).replaceAll('-', '')}`
    partitions.push({ table, name, from: boundAt(start), to: boundAt(end) })
    start = end
  }
  return partitions
}

/** Any constant that no other lock has: one process at a time makes partitions. */
const makingLock = 7_352_117
const lock = { sql: `select pg_advisory_xact_lock(${makingLock})`, parameters: [] }

/** Makes what is missing of the partitions of a time and of those ahead; mostly nothing. */
export async function makePartitions(database: Database, time: Date): Promise<{ made: number }> {
  return database.transaction(async (tx) => {
    tx.send(lock)
    const there = new Set(await namesIn(tx))
    const missing = tables
      .flatMap((table) => partitionsFrom(table, time))
      .filter(({ name }) => !there.has(name))
    for (const sql of missing.flatMap(makingOf)) tx.send({ sql, parameters: [] })
    await protectAuditLogs(tx)
    return { made: missing.length }
  })
}

const namesSql = `
  select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = any($1::regclass[])`

const namesIn = async (tx: Transaction): Promise<string[]> =>
  (await tx.query<{ name: string }>({ sql: namesSql, parameters: [tables] })).map(
    ({ name }) => name,
  )

/** Made apart and then attached: reads and writes of the table go on meanwhile. */
const makingOf = ({ table, name, from, to }: Partition): string[] => [
  `create table ${name} (like ${table} including defaults including constraints)`,
  `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
]

// The other trigger comes with the partition. One that a backup has brought back is without this.
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

/** A row came for which there is no partition: the process has slept for weeks, say. */
export const isWithoutPartition = (error: unknown): boolean => {
  const { code, constraint, table = '' } = error as Record<string, string | undefined>
  return code === '23514' && constraint === undefined && isPartitioned(table)
}

/** A partition all of whose rows are from before a time. */
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

/** Who writes waits behind whoever waits for this lock, so nobody waits for it long. */
const patience = { sql: `set local lock_timeout = '300ms'`, parameters: [] }

/** Drops partitions together, or none when somebody is busy in their tables. */
export const dropPartitions = (database: Database, names: readonly string[]): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send(patience)
    for (const name of names) tx.send({ sql: `drop table if exists ${name}`, parameters: [] })
  })

type Kept = { table: PartitionedTable; keptMs: number }

/** Drops the partitions of a table in which nothing is younger than `keptMs`. */
export async function dropPastPartitions(
  { database, clock }: { database: Database; clock: Clock },
  { table, keptMs }: Kept,
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
