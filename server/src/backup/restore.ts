import type { Cipher } from '../crypto/cipher.ts'
import type { DatabaseAddress } from '../database/address.ts'
import {
  type BulkConnection,
  connectInBulk,
  copyIn,
  copyOut,
  quoted,
} from '../database/transactions/bulk-copy.ts'
import { transactionSettings } from '../database/upkeep/citus/settings.ts'
import { migrate } from '../database/upkeep/migrate.ts'
import { fileKeyOf } from './file-key.ts'
import { BackupError } from './format.ts'
import type { BackupTable, Partition } from './header.ts'
import { type BackupFile, openBackup } from './open-file.ts'
import { sumRows } from './sum-rows.ts'
import * as catalogue from './tables.ts'
import { checkKnown, prepareTarget } from './target.ts'

/** Names of the migrations applied after those of the backup. */
export type Restored = { migrated: string[] }

/** Opens a backup, or refuses it before a database is created if this version or key cannot restore it. */
export async function openRestorable(path: string, cipher: Cipher): Promise<BackupFile> {
  const file = await openBackup(path, fileKeyOf(cipher))
  try {
    await checkKnown(file.header)
    return file
  } catch (error) {
    await file[Symbol.asyncDispose]()
    throw error
  }
}

/** Fills an empty database from a backup, all or nothing, and then migrates it. */
export async function restoreBackup(file: BackupFile, address: DatabaseAddress): Promise<Restored> {
  const client = await connectInBulk(address, 'flightdeck backup restore')
  try {
    // An error ends the connection, and so the transaction.
    await client.query('begin')
    for (const setting of transactionSettings) await client.query(setting)
    await fill(client, file)
    await client.query('commit')
  } finally {
    await client.end()
  }
  return { migrated: await migrate(address) }
}

async function fill(client: BulkConnection, file: BackupFile): Promise<void> {
  const { tables, partitions, migrations } = file.header
  await prepareTarget(client, migrations)
  for (const partition of partitions) await client.query(partitionSql(partition))
  await checkColumns(client, tables)
  for (const table of tables) {
    await copyIn(client, catalogue.intoTable(table), file.rowsOf(table))
  }
  await file.end()
  for (const table of tables) await compare(client, table, file)
  await analyze(client, tables)
}

// The migration of the table may have created some of them already, by today's date.
const partitionSql = ({ name, parent, bound, key }: Partition) =>
  `create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bound}
  ${key === null ? '' : `partition by ${key}`}`

async function checkColumns(client: BulkConnection, tables: BackupTable[]): Promise<void> {
  const shape = (each: catalogue.Table[]) =>
    each.map(({ name, columns }) => `${name} (${[...columns].sort().join(', ')})`).sort()
  const [actual, expected] = [shape(await catalogue.readTables(client)), shape(tables)]
  const different = [...new Set(actual).symmetricDifference(new Set(expected))]
  if (different.length === 0) return
  throw new BackupError(
    `The schema of these migrations differs from the backup's: ${different.join('; ')}.`,
  )
}

/** Reads a table back and compares its checksum. */
async function compare(
  client: BulkConnection,
  table: BackupTable,
  file: BackupFile,
): Promise<void> {
  const sum = sumRows()
  for await (const rows of copyOut(client, catalogue.selectAll(table))) sum.add(rows)
  const [actual, expected] = [sum.result(), file.sums.get(table.name)]
  if (actual.rows === expected?.rows && actual.sha256_sum === expected.sha256_sum) return
  throw new BackupError(
    `${table.name} differs from the backup after writing: it has ${actual.rows} of ${table.rows} rows.`,
  )
}

/** Skips empty tables, as the planner would assume that they stay empty. */
async function analyze(client: BulkConnection, tables: BackupTable[]): Promise<void> {
  const filled = tables.filter(({ rows }) => rows > 0).map(({ name }) => quoted(name))
  if (filled.length > 0) await client.query(`analyze ${filled.join(', ')}`)
}
