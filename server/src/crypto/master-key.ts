import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Database, Reader } from '../database/database.ts'
import { insertStatement } from '../database/statements.ts'
import { type Cipher, newMasterKey, WrongKey } from './cipher.ts'
import { newSigningKey } from './signing-keys.ts'

const purpose = 'master_key_proof'
/** An arbitrary constant: replicas that start together agree on one proof and one signing key. */
const firstStartLock = 7_352_115

const fileIn = (dataDir: string) => join(dataDir, 'master.key')

/**
 * The configured master key, or the one in the data directory. Created only for a new database: a
 * new key could not open existing data.
 */
export async function loadMasterKey(config: Config, reader: QueryOnly): Promise<string> {
  const { masterKey, dataDir } = config
  if (masterKey !== null) return masterKey
  const file = fileIn(dataDir)
  const known = await readKey(file)
  if (known === null) {
    // Another process may have created both meanwhile.
    if (await hasProof(reader)) return findMasterKey(config)
    await mkdir(dataDir, { recursive: true })
    await makeKey(file)
  }
  await chmod(file, 0o600)
  return known ?? (await readFile(file, 'utf8')).trim()
}

const proofSql = 'select from master_key_proof'

type QueryOnly = Pick<Reader, 'query'>

const hasProof = async (reader: QueryOnly): Promise<boolean> =>
  (await reader.query({ sql: proofSql, parameters: [] })).length > 0

async function readKey(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Linked under its name when complete: of concurrent writers, the first wins. */
async function makeKey(file: string): Promise<void> {
  const unnamed = `${file}.${randomUUID()}`
  await writeFile(unnamed, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(unnamed, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(unnamed)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Never creates one: it could not open existing data. */
export async function findMasterKey({ masterKey, dataDir }: Config): Promise<string> {
  if (masterKey !== null) return masterKey
  try {
    return (await readFile(fileIn(dataDir), 'utf8')).trim()
  } catch (cause) {
    throw new WrongKey(
      `There is no master key in ${dataDir}. Set FLIGHTDECK_MASTER_KEY to the key that this data was created with, or put its master.key there.`,
      { cause },
    )
  }
}

/**
 * Refuses a key other than the one the database was created with; creates the first signing key.
 * Returns the installation's id.
 */
export async function verifyMasterKey(database: Database, cipher: Cipher): Promise<string> {
  return database.transaction(async (tx) => {
    tx.send({ sql: `select pg_advisory_xact_lock(${firstStartLock})`, parameters: [] })
    const proof = await tx
      .kysely()
      .selectFrom('master_key_proof')
      .select(['sealed', 'installation_id'])
      .executeTakeFirst()
    if (proof) {
      checkProof(cipher, proof.sealed)
      return proof.installation_id
    }
    const first = { sealed: cipher.seal('Flightdeck', purpose), installation_id: randomUUID() }
    tx.send(insertStatement('master_key_proof', first))
    const key = { ...(await newSigningKey(cipher)), created_at: new Date().toISOString() }
    tx.send(insertStatement('signing_keys', key))
    return first.installation_id
  })
}

export function checkProof(cipher: Cipher, sealed: string): void {
  try {
    cipher.open(sealed, purpose)
  } catch (cause) {
    throw new WrongKey(
      'The master key is not the one that this database was created with. Set FLIGHTDECK_MASTER_KEY, or put the right master.key into the data directory.',
      { cause },
    )
  }
}
