import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { holderOf } from './lock-holders.ts'
import { errorCode, StartError } from './start-error.ts'

const migrationsDir = join(import.meta.dirname, '../../migrations')
/** Any constant: whoever holds this advisory lock migrates, the others wait and find it done. */
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

/** Told of a lock that is not to be had yet. */
export type ReportWait = (line: string) => void

const reportOnStderr: ReportWait = (line) => void process.stderr.write(`flightdeck: ${line}\n`)

/** Brings the schema up to date, each migration in a transaction. Returns the names applied. */
export async function migrate(
  address: DatabaseAddress,
  dir?: string,
  tell: ReportWait = reportOnStderr,
): Promise<string[]> {
  const migrations = await readMigrations(dir)
  const client = new pg.Client({ ...address, application_name: 'flightdeck migrate' })
  // A cut connection surfaces as the fault of the statement that waits for it.
  client.on('error', () => {})
  await client.connect()
  try {
    await checkServerVersion(client)
    // Mostly nothing is missing, and then nobody need wait for a backup to let go of the lock.
    if ((await missingOf(client, migrations)).length === 0) return []
    await takeLock({ client, tell: (holder) => tell(`the migrations wait for ${holder}`) }, 'lock')
    await makeTable(client)
    const missing = await missingOf(client, migrations)
    for (const migration of missing) await applyAlone({ client, tell }, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Until the connection ends nobody migrates. */
export const blockMigrations = (client: pg.ClientBase, tell = reportOnStderr): Promise<void> =>
  takeLock({ client, tell: (holder) => tell(`the backup waits for ${holder}`) }, 'lock_shared')

/** Until the transaction ends nobody else migrates. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/** Applies those of these that are missing, within the caller's transaction, which holds the lock. */
export async function migrateWithin(client: pg.ClientBase, migrations: Migration[]): Promise<void> {
  await checkServerVersion(client)
  await makeTable(client)
  for (const migration of await missingOf(client, migrations)) await apply(client, migration)
}

const oldestMajor = 15

async function checkServerVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')
    as server_version_num, current_setting('server_encoding') as server_encoding`)
  const [{ server_version_num, server_encoding }] = rows
  const major = Math.floor(Number(server_version_num) / 10_000)
  if (major < oldestMajor) {
    throw new StartError(`PostgreSQL ${major} is too old: Flightdeck needs ${oldestMajor} or newer`)
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

type Waiting = { client: pg.ClientBase; tell: ReportWait }

/** A backup shares the lock until it is done: that may take its time, so it is said. */
async function takeLock({ client, tell }: Waiting, kind: 'lock' | 'lock_shared'): Promise<void> {
  const take = () => client.query(`select pg_advisory_${kind}($1)`, [migrationLock])
  await client.query(`set lock_timeout = '${patience}'`)
  const fault = await take().then(
    () => null,
    (error: unknown) => error,
  )
  if (fault !== null && !isLocked(fault)) throw fault
  await client.query('set lock_timeout = 0')
  if (fault === null) return
  tell(await holderOf(client, { advisory: migrationLock }))
  await take()
}

/** Who reads or writes waits behind whoever waits to change a table, so nobody waits for it long. */
const patience = '2s'
const firstPauseMs = 1_000
const longestPauseMs = 30_000

async function applyAlone({ client, tell }: Waiting, migration: Migration): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (await applyUnlessLocked(client, migration)) return
    const holder = await holderOf(client, 'tables')
    tell(`migration ${migration.name} waits for ${holder}; trying again in ${pauseMs / 1_000} s`)
    await sleep(pauseMs)
  }
}

/** False where somebody held a table for too long: then nothing has happened. */
async function applyUnlessLocked(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${patience}'`)
    await apply(client, migration)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (error instanceof Error && isLocked(error.cause)) return false
    throw error
  }
}

/** A lock was not to be had in time, or only if somebody else gave up theirs. */
const isLocked = (error: unknown) =>
  error instanceof Error && /^(55P03|40P01)$/.test(errorCode(error) ?? '')

async function apply(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(sql)
  } catch (cause) {
    throw new Error(`migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}
