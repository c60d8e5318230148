import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode, errorMessage } from '../../values/errors.ts'
import { thisBuild } from '../../version.ts'
import type { DatabaseAddress } from '../address.ts'
import { ordinaryPatience, type Patience, patiently } from '../patience.ts'
import { StartError } from '../start-error.ts'
import { transactionSettings } from './citus/settings.ts'
import { holderOf } from './lock-holders.ts'
import {
  ask,
  connectToMigrate,
  endMigrating,
  type MigrationClient,
  whileAtWork,
} from './migration-client.ts'

const migrationsDir = join(import.meta.dirname, '../../../migrations')
/** Any constant: the holder of this advisory lock migrates, the others wait and find it done. */
const migrationLock = 7_352_114

export type Migration = { name: string; sql: string }

export async function readMigrations(dir = migrationsDir): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(join(dir, file), 'utf8'),
    })),
  )
}

type MigrateOptions = Partial<Patience> & {
  /** Called with the migrations of newer code that this code does not know. */
  onUnknown?: (names: string[]) => void
}

/** Brings the schema up to date, each migration in its own transaction. Returns the names applied. */
export async function migrate(
  address: DatabaseAddress,
  dir?: string,
  { onUnknown = () => {}, ...given }: MigrateOptions = {},
): Promise<string[]> {
  const patience = { ...ordinaryPatience, ...given }
  const migrations = await readMigrations(dir)
  const on = await connectToMigrate(address)
  const { client } = on
  try {
    await checkServerVersion(client)
    const unknown = unknownOf(await appliedTo(client), migrations)
    if (unknown.length > 0) onUnknown(unknown)
    // Usually nothing is missing: then do not wait for the lock, which a backup may hold.
    if ((await missingOf(client, migrations)).length === 0) return []
    await takeLock({ client, patience, who: 'the migrations wait' }, 'lock')
    await makeTable(client)
    const missing = await missingOf(client, migrations)
    for (const migration of missing) await applyAlone({ on, patience }, migration)
    if (missing.length > 0) {
      const { keepDistributed } = await import('./citus/keep-distributed.ts')
      await keepDistributed(on, patience.report)
    }
    return missing.map((migration) => migration.name)
  } finally {
    await endMigrating(on)
  }
}

/** Blocks migrations until the connection ends. */
export const blockMigrations = (client: pg.ClientBase): Promise<void> =>
  takeLock({ client, patience: ordinaryPatience, who: 'the backup waits' }, 'lock_shared')

/** Blocks migrations by others until the transaction ends. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/** Applies the missing ones of these in the caller's transaction, which holds the lock. */
export async function migrateWithin(client: pg.ClientBase, migrations: Migration[]): Promise<void> {
  await checkServerVersion(client)
  await makeTable(client)
  for (const migration of await missingOf(client, migrations)) await apply(client, migration)
}

const minMajor = 15

async function checkServerVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await ask(
    client,
    `select current_setting('server_version_num') as server_version_num,
      current_setting('server_encoding') as server_encoding`,
  )
  const [{ server_version_num, server_encoding }] = rows
  const major = Math.floor(Number(server_version_num) / 10_000)
  if (major < minMajor) {
    throw new StartError(`PostgreSQL ${major} is too old: Flightdeck needs ${minMajor} or newer`)
  }
  if (server_encoding !== 'UTF8') {
    throw new StartError(
      `The database has the encoding ${server_encoding}, and Flightdeck needs UTF8: create database … encoding 'UTF8' template template0`,
    )
  }
}

async function makeTable(client: pg.ClientBase): Promise<void> {
  await ask(
    client,
    `create table if not exists migrations (
      name text constraint migrations_pkey primary key,
      applied_at timestamptz not null default now()
    )`,
  )
}

const missingOf = async (client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> => {
  const names = new Set((await appliedTo(client)).map(({ name }) => name))
  return migrations.filter((migration) => !names.has(migration.name))
}

type Applied = { name: string; isFloor: boolean; appliedBy: string | null }

/** Older code has made the table with fewer columns. */
const appliedSql = `
  select name, coalesce((to_jsonb(m) ->> 'is_floor')::boolean, false) as "isFloor",
    to_jsonb(m) ->> 'applied_by' as "appliedBy"
  from migrations m order by name`

async function appliedTo(client: pg.ClientBase): Promise<Applied[]> {
  const known = await ask(client, `select to_regclass('migrations') is not null as known`)
  return known.rows[0].known ? (await ask(client, appliedSql)).rows : []
}

/** The names of newer migrations; refuses a database that needs code which knows one of them. */
function unknownOf(applied: Applied[], migrations: Migration[]): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name))
  const floor = unknown.findLast(({ isFloor }) => isFloor)
  if (floor === undefined) return unknown.map(({ name }) => name)
  const by = floor.appliedBy === null ? '' : ` of Flightdeck ${floor.appliedBy}`
  throw new StartError(
    `This Flightdeck (${thisBuild}) is too old for the database: it may be used only by code that knows the migration ${floor.name}${by}. Install that or a newer one, or restore a backup.`,
  )
}

/** The message about migrations that this code does not know. */
export const unknownText = (names: readonly string[]): string =>
  `The database was changed by newer code: this Flightdeck (${thisBuild}) does not know ${names.join(', ')}`

type LockWait = { client: pg.ClientBase; patience: Patience; who: string }
type LockKind = 'lock' | 'lock_shared'

/** Takes the lock; reports its holder if that takes long, as a backup may hold it for a while. */
async function takeLock({ client, patience, who }: LockWait, kind: LockKind): Promise<void> {
  const goOn = patiently(patience)
  await ask(client, `set lock_timeout = '${lockTimeout}'`)
  let hasReported = false
  while (!(await isTaken(client, kind))) {
    const line = `${who} for ${await holderOf(client, { advisory: migrationLock })}`
    goOn(line)
    if (!hasReported) patience.report(line)
    hasReported = true
  }
  await ask(client, 'set lock_timeout = 0')
}

async function isTaken(client: pg.ClientBase, kind: LockKind): Promise<boolean> {
  try {
    await ask(client, `select pg_advisory_${kind}($1)`, [migrationLock])
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}

/** Short, as all reads and writes of a table queue behind a migration that waits for its lock. */
const lockTimeout = '2s'
const firstPauseMs = 1_000
const maxPauseMs = 30_000

type Applying = { on: MigrationClient; patience: Patience }

async function applyAlone({ on, patience }: Applying, migration: Migration): Promise<void> {
  const goOn = patiently(patience)
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (await whileAtWork(on, () => applyUnlessLocked(on.client, migration))) return
    const line = `migration ${migration.name} waits for ${await holderOf(on.client, 'tables')}`
    goOn(line)
    patience.report(`${line}; trying again in ${pauseMs / 1_000} s`)
    await sleep(Math.min(pauseMs, patience.waitAtMostMs))
  }
}

/** Returns false, without effect, if another session held a table for too long. */
async function applyUnlessLocked(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    for (const setting of transactionSettings) await client.query(setting)
    await apply(client, migration)
    await client.query('commit')
    return true
  } catch (error) {
    // On a lost connection there is nothing to roll back.
    await client.query('rollback').catch(() => {})
    if (error instanceof Error && isLocked(error.cause)) return false
    throw error
  }
}

/** A lock timeout or a deadlock. */
const isLocked = (error: unknown) => /^(55P03|40P01)$/.test(errorCode(error) ?? '')

async function apply(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  try {
    await client.query(`select set_config('flightdeck.build', $1, true)`, [thisBuild])
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(sql)
  } catch (cause) {
    throw new Error(`migration ${name} failed: ${errorMessage(cause)}`, { cause })
  }
}
