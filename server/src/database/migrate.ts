import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errorCode, errorMessage } from '../values/errors.ts'
import type { DatabaseAddress } from './address.ts'
import { holderOf } from './lock-holders.ts'
import { StartError } from './start-error.ts'

const migrationsDir = join(import.meta.dirname, '../../migrations')
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

/** Called with a message while waiting for a lock. */
export type ReportWait = (line: string) => void

const reportOnStderr: ReportWait = (line) => void process.stderr.write(`flightdeck: ${line}\n`)

/** Brings the schema up to date, each migration in its own transaction. Returns the names applied. */
export async function migrate(
  address: DatabaseAddress,
  dir?: string,
  report: ReportWait = reportOnStderr,
): Promise<string[]> {
  const migrations = await readMigrations(dir)
  const client = new pg.Client({ ...address, application_name: 'flightdeck migrate' })
  // A lost connection surfaces as the error of the pending statement.
  client.on('error', () => {})
  await client.connect()
  try {
    await checkServerVersion(client)
    // Usually nothing is missing: then do not wait for the lock, which a backup may hold.
    if ((await missingOf(client, migrations)).length === 0) return []
    const reportHolder = (holder: string) => report(`the migrations wait for ${holder}`)
    await takeLock({ client, report: reportHolder }, 'lock')
    await makeTable(client)
    const missing = await missingOf(client, migrations)
    for (const migration of missing) await applyAlone({ client, report }, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Blocks migrations until the connection ends. */
export const blockMigrations = (client: pg.ClientBase, report = reportOnStderr): Promise<void> =>
  takeLock({ client, report: (holder) => report(`the backup waits for ${holder}`) }, 'lock_shared')

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
  const { rows } = await client.query(`select current_setting('server_version_num')
    as server_version_num, current_setting('server_encoding') as server_encoding`)
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
  await client.query(`create table if not exists migrations (
    name text constraint migrations_pkey primary key,
    applied_at timestamptz not null default now()
  )`)
}

async function missingOf(client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> {
  const known = await client.query(`select to_regclass('migrations') is not null as known`)
  if (!known.rows[0].known) return migrations
  const { rows } = await client.query('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

type Waiting = { client: pg.ClientBase; report: ReportWait }

/** Takes the lock; reports its holder if that takes long, as a backup may hold it for a while. */
async function takeLock({ client, report }: Waiting, kind: 'lock' | 'lock_shared'): Promise<void> {
  const take = () => client.query(`select pg_advisory_${kind}($1)`, [migrationLock])
  await client.query(`set lock_timeout = '${lockTimeout}'`)
  const fault = await take().then(
    () => null,
    (error: unknown) => error,
  )
  if (fault !== null && !isLocked(fault)) throw fault
  await client.query('set lock_timeout = 0')
  if (fault === null) return
  report(await holderOf(client, { advisory: migrationLock }))
  await take()
}

/** Short, as all reads and writes of a table queue behind a migration that waits for its lock. */
const lockTimeout = '2s'
const firstPauseMs = 1_000
const maxPauseMs = 30_000

async function applyAlone({ client, report }: Waiting, migration: Migration): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (await applyUnlessLocked(client, migration)) return
    const holder = await holderOf(client, 'tables')
    report(`migration ${migration.name} waits for ${holder}; trying again in ${pauseMs / 1_000} s`)
    await sleep(pauseMs)
  }
}

/** Returns false, without effect, if another session held a table for too long. */
async function applyUnlessLocked(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    await apply(client, migration)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (error instanceof Error && isLocked(error.cause)) return false
    throw error
  }
}

/** A lock timeout or a deadlock. */
const isLocked = (error: unknown) => /^(55P03|40P01)$/.test(errorCode(error) ?? '')

async function apply(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(sql)
  } catch (cause) {
    throw new Error(`migration ${name} failed: ${errorMessage(cause)}`, { cause })
  }
}
