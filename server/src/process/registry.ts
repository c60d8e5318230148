import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from '../concurrency/wait.ts'
import type { SettingName } from '../config/config.ts'
import { secretSettings } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import { type GivenSetting, givenSettings } from '../config/given-settings.ts'
import { type Cipher, WrongKey } from '../crypto/cipher.ts'
import type { Database } from '../database/database.ts'
import { keepLease } from '../jobs/keep-lease.ts'
import type { Leases } from '../jobs/leases.ts'
import type { Services } from '../kernel/context.ts'
import { revision, version } from '../version.ts'
import type { ServiceInfo } from './banner.ts'

/** A setting in effect; of a secret only a digest under the master key, or null if it is not set. */
export type RegisteredSetting = { text: string } | { digest: string | null }

/** A live process of the service, as it has registered. */
export type RegisteredProcess = {
  role: string
  url: string
  host: string
  pid: number
  version: string
  /** The commit of its code; null where its build does not say. */
  revision: string | null
  started_at: string
  settings: Partial<Record<SettingName, RegisteredSetting>>
  /** The master keys that it opens values of. */
  known_keys: readonly number[]
  /** The one that it seals under; null in a version that knows of one only. */
  sealing_key: number | null
}

type Registration = {
  services: Pick<Services, 'database' | 'crypto'>
  leases: Leases
  env: Environment
  info: Pick<ServiceInfo, 'role' | 'url' | 'pid'>
  /** Called when the master key was changed without this process. */
  onKeyLost(reason: string): void
}

const lookEveryMs = 2_000

/**
 * Says in the database what this process runs with, for as long as it lives, and takes over changes of
 * the master key: the command that makes one waits for all processes.
 */
export function registerProcess(registration: Registration): { stop(): Promise<void> } {
  const { leases, env, info } = registration
  const id = randomUUID()
  const started_at = new Date().toISOString()
  const started = { ...info, host: hostname(), version, revision, started_at }
  // Read now: a file may have another secret later.
  const own = { id, started, given: givenSettings(env) }
  return keepLease(leases, leaseName(id), (signal) => keepRegistered(registration, own, signal))
}

type Own = {
  id: string
  started: Omit<RegisteredProcess, 'settings' | 'known_keys' | 'sealing_key'>
  given: readonly GivenSetting[]
}

async function keepRegistered(
  {
    services: {
      database,
      crypto: { keyring },
    },
    onKeyLost,
  }: Registration,
  { id, started, given }: Own,
  signal: AbortSignal,
): Promise<void> {
  let registered = ''
  while (!signal.aborted) {
    await keyring.refresh().catch((error: unknown) => {
      if (!(error instanceof WrongKey)) throw error
      onKeyLost(keyLost)
    })
    const keys = { known_keys: [...keyring.ids], sealing_key: keyring.cipher.keyId }
    if (JSON.stringify(keys) !== registered) {
      const settings = registeredSettings(given, keyring.cipher)
      await register(database, id, { ...started, ...keys, settings })
    }
    registered = JSON.stringify(keys)
    await pause(lookEveryMs, signal)
  }
}

const keyLost =
  'The master key was changed while this process was cut off from the database. Start it again with the new one.'

const leasePrefix = 'process/'
const leaseName = (id: string) => `${leasePrefix}${id}`

function registeredSettings(
  given: readonly GivenSetting[],
  cipher: Cipher,
): RegisteredProcess['settings'] {
  const all = given.map(({ name, text }) => {
    if (!secretSettings.includes(name)) return [name, { text }]
    return [name, { digest: text === null ? null : digestOf(cipher, name, text) }]
  })
  return Object.fromEntries(all)
}

const purposeOf = (name: SettingName) => `setting ${name}`

const digestOf = (cipher: Cipher, name: SettingName, text: string): string =>
  cipher.sign(text, purposeOf(name)).toString('base64url')

/** Whether a registered digest is that of this secret. */
export const isSecret = (
  cipher: Cipher,
  name: SettingName,
  given: { text: string; digest: string },
) => cipher.verify(given.text, purposeOf(name), Buffer.from(given.digest, 'base64url'))

const registerSql = `
  insert into processes
    (id, role, url, host, pid, version, revision, started_at, settings, known_keys, sealing_key)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (id) do update set settings = excluded.settings,
    known_keys = excluded.known_keys, sealing_key = excluded.sealing_key`

/** Deletes the rows that killed processes have left. */
const forgetSql = `
  delete from processes p where not exists (
    select from leases l
    where l.name = '${leasePrefix}' || p.id and l.expires_at > clock_timestamp())
  and p.id <> $1`

async function register(database: Database, id: string, own: RegisteredProcess): Promise<void> {
  const { role, url, host, pid, started_at, known_keys, sealing_key } = own
  const settings = JSON.stringify(own.settings)
  const about = [role, url, host, pid, own.version, own.revision, started_at, settings]
  const parameters = [id, ...about, known_keys, sealing_key]
  await database.transaction(async (tx) => {
    tx.send({ sql: forgetSql, parameters: [id] })
    tx.send({ sql: registerSql, parameters })
  })
}

const liveSql = `
  select p.role, p.url, p.host, p.pid, p.version, p.revision, p.started_at, p.settings,
    p.known_keys, p.sealing_key
  from processes p
  join leases l on l.name = '${leasePrefix}' || p.id and l.expires_at > clock_timestamp()
  order by p.started_at limit 1000`

/** The oldest first. */
export const liveProcesses = ({ reader }: Pick<Database, 'reader'>): Promise<RegisteredProcess[]> =>
  reader.query<RegisteredProcess>({ sql: liveSql, parameters: [] })
