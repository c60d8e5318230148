import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'

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

/** Brings the schema up to date, each migration in a transaction. Returns the names applied. */
export async function migrate(address: DatabaseAddress, dir?: string): Promise<string[]> {
  const migrations = await readMigrations(dir)
  const client = new pg.Client({ ...address, application_name: 'flightdeck migrate' })
  // A cut connection surfaces as the fault of the statement that waits for it.
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const missing = await missingOf(client, migrations)
    for (const migration of missing) await applyAlone(client, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Until the transaction ends nobody else migrates. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/** Applies those of these that are missing, within the caller's transaction, which holds the lock. */
export async function migrateWithin(client: pg.ClientBase, migrations: Migration[]): Promise<void> {
  await refuseOldServer(client)
  for (const migration of await missingOf(client, migrations)) await apply(client, migration)
}

const oldestMajor = 15

async function refuseOldServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
  if (major < oldestMajor) {
    throw new Error(`PostgreSQL ${major} is too old: Flightdeck needs ${oldestMajor} or newer`)
  }
}

async function missingOf(client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> {
  await client.query(`create table if not exists migrations (
    name text constraint migrations_pkey primary key,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function applyAlone(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await apply(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function apply(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(sql)
  } catch (cause) {
    throw new Error(`migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}
