import { type BulkConnection, quoted } from '../database/transactions/bulk-copy.ts'
import {
  lockMigrations,
  type Migration,
  migrateWithin,
  readMigrations,
} from '../database/upkeep/migrate.ts'
import { version } from '../version.ts'
import { BackupError } from './format.ts'
import type { Header } from './header.ts'
import { dropEverything, lockTables, readMigrationNames, readTables } from './tables.ts'

/** Rows that any command creates on an empty database, in the order of their deletion. The last is of former schemas. */
const selfCreated = ['signing_keys', 'master_keys', 'installation', 'master_key_proof']

/** Throws if this version does not know the backup's schema. */
export async function checkKnown({ migrations, service_version }: Header): Promise<void> {
  const known = (await readMigrations()).map(({ name }) => name)
  const unknown = migrations.find((name, at) => name !== known[at])
  if (unknown === undefined) return
  throw new BackupError(
    `The backup has a schema that this version (${version}) does not know: migration ${unknown}. Restore it with Flightdeck ${service_version} or newer.`,
  )
}

/** Brings a database without data to the schema of these migrations, in the open transaction. */
export async function prepareTarget(client: BulkConnection, names: string[]): Promise<void> {
  await lockMigrations(client)
  const applied = await readMigrationNames(client)
  const tables = await readTables(client)
  await lockTables(client, tables, 'share row exclusive')
  if (applied === null && tables.length > 0) {
    throw refused(`it has tables that are not Flightdeck's: ${tables[0]?.name}, …`)
  }
  for (const { name } of tables) await refuseRows(client, name)
  const migrations = (await readMigrations()).slice(0, names.length)
  if (isBeyond(migrations, applied ?? [])) await dropEverything(client)
  await migrateWithin(client, migrations)
  const present = new Set((await readTables(client)).map(({ name }) => name))
  for (const name of selfCreated.filter((each) => present.has(each))) {
    await client.query(`delete from ${quoted(name)}`)
  }
}

async function refuseRows(client: BulkConnection, name: string): Promise<void> {
  if (selfCreated.includes(name)) return
  const { rows } = await client.query(`select from ${quoted(name)} limit 1`)
  if (rows.length > 0) throw refused(`${name} has rows`)
}

const refused = (reason: string) =>
  new BackupError(`The database is not empty: ${reason}. Restore into a new database.`)

const isBeyond = (migrations: Migration[], applied: string[]) => {
  const names = new Set(migrations.map(({ name }) => name))
  return applied.some((name) => !names.has(name))
}
