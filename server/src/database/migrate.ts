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
    return await applyMissing(client, migrations)
  } finally {
    await client.end()
  }
}

const oldestMajor = 15

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
  if (major < oldestMajor) {
    throw new Error(`PostgreSQL ${major} is too old: Flightdeck needs ${oldestMajor} or newer`)
  }
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  await client.query(`create table if not exists migrations (
    name text constraint migrations_pkey primary key,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  const missing = migrations.filter((migration) => !applied.has(migration.name))
  for (const migration of missing) await apply(client, migration)
  return missing.map((migration) => migration.name)
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(sql)
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}
