import { type Config, readConfig } from '../../config/config.ts'
import { type Environment, prefix } from '../../config/environment.ts'
import { type GivenSetting, givenSettings, meansTheSame } from '../../config/given-settings.ts'
import { type Cipher, WrongKey } from '../../crypto/cipher.ts'
import { openKeyring } from '../../crypto/keyring.ts'
import { findMasterKey } from '../../crypto/master-key-file.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { findRunningEmbedded } from '../../database/embedded/start.ts'
import {
  isSecret,
  liveProcesses,
  type RegisteredProcess,
  type RegisteredSetting,
} from '../../process/registry.ts'
import { errorCode } from '../../values/errors.ts'
import { CommandError } from '../command.ts'
import { onDatabase } from '../on-database.ts'
import type { Difference, RunningProcess } from './running-settings.ts'

/** Compares the settings of the service's running processes with this environment. */
export async function askRunning(env: Environment): Promise<RunningProcess[]> {
  const config = readConfig(env)
  const { databaseUrl, dataDir } = config
  const isRunning = databaseUrl !== null || (await findRunningEmbedded(dataDir)) !== null
  const found = isRunning ? await registered(config) : null
  if (!found || found.processes.length === 0) throw new CommandError(nothingRuns(config))
  const here = givenSettings(env)
  return found.processes.map(({ settings, known_keys: _, sealing_key: __, ...process }) => ({
    ...process,
    differences: here.flatMap((given) => differenceOf(given, settings[given.name], found.cipher)),
  }))
}

const nothingRuns = ({ databaseUrl, dataDir }: Config) =>
  databaseUrl === null
    ? `No service runs on the data directory ${dataDir}. Set FLIGHTDECK_DATA_DIR or FLIGHTDECK_DATABASE_URL as the service has it.`
    : 'No service runs on the database of FLIGHTDECK_DATABASE_URL.'

type FoundProcesses = { processes: RegisteredProcess[]; cipher: Cipher | undefined }

const registered = (config: Config): Promise<FoundProcesses> =>
  onDatabase(config, { name: 'config check' }, async (address) => {
    const database = openDatabase(address)
    try {
      const processes = await liveProcesses(database).catch(ofEarlierVersion)
      return { processes, cipher: await cipherOf(config, database) }
    } finally {
      await database.close()
    }
  })

const missing = ['42P01', '42703']

/** The database of an earlier version has no list of processes, or one with less in it. */
function ofEarlierVersion(error: unknown): [] {
  if (missing.includes(errorCode(error) ?? '')) return []
  throw error
}

/** Undefined if this shell does not have the master key of the database. */
async function cipherOf(config: Config, database: Database): Promise<Cipher | undefined> {
  try {
    const { cipher } = await openKeyring(database.reader, await findMasterKey(config))
    return cipher
  } catch (error) {
    if (error instanceof WrongKey) return undefined
    throw error
  }
}

function differenceOf(
  given: GivenSetting,
  running: RegisteredSetting | undefined,
  cipher: Cipher | undefined,
): Difference[] {
  const name = prefix + given.name
  const here = given.text ?? ''
  if (running === undefined) return [{ name, running: '[unknown]', here: shown(given) }]
  if ('digest' in running) return differenceOfSecret(given, running.digest, cipher)
  if (meansTheSame(given.name, running.text, here)) return []
  return [{ name, running: running.text, here: shown(given) }]
}

const shown = ({ text, isDefault }: GivenSetting) => `${text ?? ''}${isDefault ? ' (default)' : ''}`

function differenceOfSecret(
  { name, text }: GivenSetting,
  digest: string | null,
  cipher: Cipher | undefined,
): Difference[] {
  const differs = (running: string, here: string) => [{ name: prefix + name, running, here }]
  if (text === null || digest === null) {
    const state = (isSet: boolean) => (isSet ? '[set]' : '[not set]')
    return text === digest ? [] : differs(state(digest !== null), state(text !== null))
  }
  if (cipher === undefined && name !== 'MASTER_KEY')
    return differs('[set]', '[set: comparing takes the master key]')
  const isSame = cipher !== undefined && isSecret(cipher, name, { text, digest })
  return isSame ? [] : differs('[set]', '[set to another value]')
}
