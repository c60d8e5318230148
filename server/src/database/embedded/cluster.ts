import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../values/errors.ts'
import type { Patience } from '../patience.ts'
import { StartError } from '../start-error.ts'
import { giveTo } from './access.ts'
import { makerFor } from './account.ts'
import type { Binaries } from './binaries.ts'
import { passageMode, pathFor, type Runner, runToEnd } from './launch.ts'
import { syncDirectory } from './sync-directory.ts'

/** The directories and programs of one embedded PostgreSQL, and how to start them. */
export type Site = {
  dataDir: string
  clusterDir: string
  binaries: Binaries
  runner: Runner
  patience: Patience
}

export const DATABASE_USER = 'flightdeck'
export const DATABASE_NAME = 'flightdeck'

const PASSWORD_FILE = 'postgres-password'
const UNFINISHED = 'postgres.new-'
// Commits wait while the next segment is zeroed: 60 to 90 ms for 16 MB, 8 ms for 4 MB.
const WAL_SEGMENT_MB = 4
// Only the service's own user, with its password.
const ACCESS_RULES = `local all ${DATABASE_USER} scram-sha-256\n`

type ClusterState = 'absent' | 'present'

/** Whether the data directory has a database; throws if another version of PostgreSQL created it. */
export async function findCluster(clusterDir: string, binaries: Binaries): Promise<ClusterState> {
  const version = await readIfPresent(join(clusterDir, 'PG_VERSION'))
  if (version === null) {
    const files = await readdir(clusterDir).catch(() => [])
    if (files.length === 0) return 'absent'
    throw new StartError(`${clusterDir} is neither empty nor a PostgreSQL directory: move it away.`)
  }
  if (version.trim() === binaries.major) return 'present'
  throw new StartError(
    `${clusterDir} was created by PostgreSQL ${version.trim()}, but ${binaries.major} is installed. ` +
      'Install the version of Flightdeck that created it, or set another FLIGHTDECK_DATA_DIR.',
  )
}

/** Creates the database directory under a temporary name, and renames it when complete. */
export async function createCluster(site: Site): Promise<void> {
  const password = (await readPassword(site.dataDir)) ?? newPassword()
  await keepPassword(site.dataDir, password)
  // Closed to others: only programs started in a directory below can reach that.
  const workshop = await mkdtemp(join(site.dataDir, UNFINISHED))
  try {
    await chmod(workshop, passageMode())
    const directory = join(workshop, 'cluster')
    await mkdir(directory, { mode: 0o700 })
    await build(site, directory, password)
    await rename(directory, site.clusterDir)
    await syncDirectory(site.dataDir)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

/** Removes what a killed first start left. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Takes over files of another user: of the account `nobody`, or of root after a copy. */
export async function takeOver({ clusterDir, runner }: Site): Promise<void> {
  if (runner.account === null) return
  const { uid } = await stat(clusterDir)
  if (runner.account.uid !== uid) await giveTo(runner.account, clusterDir)
}

/** The password of the database user, or null when there is none yet. */
export async function readPassword(dataDir: string): Promise<string | null> {
  const text = await readIfPresent(join(dataDir, PASSWORD_FILE))
  return text?.trim() || null
}

export const newPassword = (): string => randomBytes(24).toString('base64url')

export async function keepPassword(dataDir: string, password: string): Promise<void> {
  const path = join(dataDir, PASSWORD_FILE)
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, `${password}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}

async function build(site: Site, directory: string, password: string): Promise<void> {
  const { binaries } = site
  const { account } = site.runner
  const maker = account && (await makerFor(account))
  if (maker !== null) await chown(directory, maker.uid, maker.gid)
  const runner = { ...site.runner, account: maker }
  // The C library's locales differ between systems; without them the directory can be moved.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const auth = ['--auth-local=reject', '--auth-host=reject']
  const layout = ['--encoding=UTF8', '--data-checksums', `--wal-segsize=${WAL_SEGMENT_MB}`]
  const options = [...layout, '--no-instructions', ...locale, ...auth]
  const dataPath = pathFor(runner, directory)
  // Its sync to disk costs 0.07 s of 0.55 s: not worth --no-sync.
  await runToEnd(runner, {
    program: binaries.initdb,
    directory,
    args: [`--pgdata=${dataPath}`, '--username=postgres', ...options],
  })
  await writeFile(join(directory, 'pg_hba.conf'), ACCESS_RULES, { flush: true })
  const strict = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic']
  await runToEnd(runner, {
    program: binaries.postgres,
    directory,
    args: ['--single', '-D', dataPath, ...strict, 'postgres'],
    input: `create role ${DATABASE_USER} login createdb password '${password}'
create database ${DATABASE_NAME} owner ${DATABASE_USER}
`,
  })
  if (account !== null) await giveTo(account, directory)
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
