import { isDeepStrictEqual, promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { Cipher } from '../crypto/cipher.ts'
import { isProofOf, otherMasterKey } from '../crypto/master-key-proof.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { type BulkConnection, connectInBulk, copyOut } from '../database/transactions/bulk-copy.ts'
import { blockMigrations } from '../database/upkeep/migrate.ts'
import { successesSql } from '../database/upkeep/task-successes.ts'
import { version } from '../version.ts'
import { fileKeyOf } from './file-key.ts'
import { BackupError, rowsBytes } from './format.ts'
import { type BackupTable, type Header, parseHeader } from './header.ts'
import { type NewFile, newFile } from './new-file.ts'
import { sumRows } from './sum-rows.ts'
import * as catalogue from './tables.ts'

const compress = promisify(zstdCompress)

type Source = { address: DatabaseAddress; cipher: Cipher }

export type Created = { header: Header; bytes: number }

/** Writes one snapshot of the whole database to a new file. */
export async function createBackup(path: string, { address, cipher }: Source): Promise<Created> {
  await using life = new AsyncDisposableStack()
  const file = life.use(await newFile(path, fileKeyOf(cipher)))
  const client = await connectInBulk(address, 'flightdeck backup create')
  life.defer(() => client.end())
  const header = await beginSnapshot(client, cipher)
  const headerText = JSON.stringify(header)
  // Fails here rather than on restoring.
  parseHeader(headerText)
  await file.block('header', Buffer.from(headerText))
  for (const table of header.tables) await writeTable(file, client, table)
  await file.block('end', json({ tables: header.tables.length }))
  const bytes = await file.keep()
  // The file is complete, whatever the database says now: one that is read-only cannot record it.
  await recordBackup(client).catch(() => {})
  return { header, bytes }
}

/** An older schema, which is backed up before an upgrade, has no such table. */
async function recordBackup(client: BulkConnection): Promise<void> {
  await client.query('commit')
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('task_successes') is not null as known`,
  )
  if (rows[0]?.known) await client.query(successesSql, [['backup.create']])
}

/**
 * The first query takes the snapshot, so the tables are locked before it: otherwise rows of a table
 * dropped in between would be missing, but not the references to them.
 */
async function beginSnapshot(client: BulkConnection, cipher: Cipher): Promise<Header> {
  await blockMigrations(client)
  const schema = await readSchema(client)
  await client.query('begin isolation level repeatable read read only')
  await catalogue.lockTables(client, schema.tables, 'access share')
  if (!isDeepStrictEqual(await readSchema(client), schema)) {
    throw new BackupError('The schema was being changed. Try again.')
  }
  await checkMasterKey(client, cipher)
  return {
    service_version: version,
    created_at: new Date().toISOString(),
    migrations: schema.migrations,
    tables: await counted(client, schema.tables),
    partitions: await catalogue.readPartitions(client),
  }
}

type Schema = { migrations: string[]; tables: catalogue.Table[] }

async function readSchema(client: BulkConnection): Promise<Schema> {
  const migrations = await catalogue.readMigrationNames(client)
  if (migrations === null) throw new BackupError('No service has used this database yet.')
  return { migrations, tables: await catalogue.readTables(client) }
}

/** A backup with the fingerprint of a wrong key would be useless. */
async function checkMasterKey(client: BulkConnection, cipher: Cipher): Promise<void> {
  const { rows: tables } = await client.query<{ known: boolean }>(
    `select to_regclass('master_keys') is not null as known`,
  )
  const { rows } = await client.query<{ proof: string }>(tables[0]?.known ? proofsSql : formerSql)
  if (rows.length === 0) throw new BackupError('No service has used this database yet.')
  if (!rows.some(({ proof }) => isProofOf(cipher, proof))) throw otherMasterKey()
}

const proofsSql = 'select proof from master_keys'
/** The proof in the schema before the master key could be changed. */
const formerSql = 'select sealed as proof from master_key_proof'

async function counted(client: BulkConnection, tables: catalogue.Table[]): Promise<BackupTable[]> {
  const result: BackupTable[] = []
  for (const table of tables) {
    result.push({ ...table, rows: await catalogue.countRows(client, table) })
  }
  return result
}

async function writeTable(
  file: NewFile,
  client: BulkConnection,
  table: BackupTable,
): Promise<void> {
  const sum = sumRows()
  for await (const rows of inLargeChunks(copyOut(client, catalogue.selectAll(table)))) {
    sum.add(rows)
    await file.block('rows', await compress(rows))
  }
  const result = sum.result()
  if (result.rows !== table.rows) {
    throw new Error(`${table.name}: ${result.rows} rows read, but ${table.rows} counted`)
  }
  await file.block('table', json({ name: table.name, ...result }))
}

/** The same bytes in larger chunks. */
async function* inLargeChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    bytes += chunk.length
    if (bytes < rowsBytes) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

const json = (content: unknown): Buffer => Buffer.from(JSON.stringify(content))
