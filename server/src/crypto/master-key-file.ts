import { randomUUID } from 'node:crypto'
import { chmod, chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Reader } from '../database/database.ts'
import { makeDirectory } from '../database/embedded/make-directory.ts'
import { syncDirectory } from '../database/embedded/sync-directory.ts'
import { asStartError } from '../database/start-error.ts'
import { errorCode } from '../values/errors.ts'
import { newMasterKey, WrongKey } from './cipher.ts'

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
    // Another process may have created both in the meantime.
    if (await hasKey(reader)) return findMasterKey(config)
    await makeKey(dataDir).catch((error: unknown) => {
      throw asStartError(error, dataDir)
    })
  }
  await chmod(file, 0o600)
  return known ?? (await readFile(file, 'utf8')).trim()
}

const keySql = 'select from master_keys'

type QueryOnly = Pick<Reader, 'query'>

const hasKey = async (reader: QueryOnly): Promise<boolean> =>
  (await reader.query({ sql: keySql, parameters: [] })).length > 0

async function readKey(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Linked under its name when complete: of concurrent writers, the first wins. */
async function makeKey(dataDir: string): Promise<void> {
  await makeDirectory(dataDir)
  const file = fileIn(dataDir)
  const unnamed = `${file}.${randomUUID()}`
  await writeFile(unnamed, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(unnamed, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(unnamed)
  }
}

/** Puts another key into the data directory, whole or not at all, for the owner of the former one. */
export async function replaceMasterKey(dataDir: string, key: string): Promise<void> {
  const file = fileIn(dataDir)
  const unnamed = `${file}.${randomUUID()}`
  const { uid, gid } = await stat(file)
  await writeFile(unnamed, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  if (process.geteuid?.() === 0) await chown(unnamed, uid, gid)
  await rename(unnamed, file)
  await syncDirectory(dataDir)
}

/** Never creates one: it could not open existing data. */
export async function findMasterKey({ masterKey, dataDir }: Config): Promise<string> {
  if (masterKey !== null) return masterKey
  try {
    return (await readFile(fileIn(dataDir), 'utf8')).trim()
  } catch (cause) {
    throw new WrongKey(
      `There is no master key in ${dataDir}. Set FLIGHTDECK_MASTER_KEY to the key that this data was created with, or FLIGHTDECK_DATA_DIR to the directory of its master.key.`,
      { cause },
    )
  }
}
