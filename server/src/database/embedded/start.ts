import { chmod, readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lazy } from '../../concurrency/lazy.ts'
import { errorCode } from '../../values/errors.ts'
import { ordinaryPatience, type Patience } from '../patience.ts'
import { asStartError, StartError } from '../start-error.ts'
import { accountFor } from './account.ts'
import { locateBinaries } from './binaries.ts'
import {
  createCluster,
  DATABASE_NAME,
  DATABASE_USER,
  findCluster,
  readPassword,
  removeUnfinished,
  type Site,
  takeOver,
} from './cluster.ts'
import { passageMode, runnerFor } from './launch.ts'
import { clearLeftovers } from './leftovers.ts'
import { askHolder, type Holder, takeLock } from './lock.ts'
import { makeDirectory } from './make-directory.ts'
import { replacePassword } from './password.ts'
import { PORT, type Postmaster, startPostmaster } from './postmaster.ts'
import { replaceLeftLink, type SocketPath, socketPathTo } from './socket-path.ts'

/** For `pg`: `host` is the directory of the socket. */
export type PostgresAddress = {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export type EmbeddedPostgres = { address: PostgresAddress; stop(): Promise<void> }

export type EmbeddedOptions = {
  dataDir: string
  /** This process's name in the message to a second one: 'flightdeck serve'. */
  owner: string
  /** PostgreSQL settings that override ours, e.g. `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** Called when PostgreSQL ends unexpectedly; `stop()` must still be called. */
  onExit?: (reason: string) => void
  patience?: Patience
}

const CLUSTER = 'postgres'
const POLL_MS = 50
const READY_WITHIN_MS = 15_000

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which the first start creates. Throws a StartError with
 * a message for the terminal.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const undo = new AsyncDisposableStack()
  try {
    const address = await start(options, undo)
    return { address, stop: lazy(() => undo.disposeAsync()) }
  } catch (error) {
    await undo.disposeAsync()
    throw asStartError(error, options.dataDir)
  }
}

/**
 * The database that a running service has on this data directory, or null without one. Waits while
 * that service starts, stops, or is too busy to answer.
 */
export async function findRunningEmbedded(dataDir: string): Promise<PostgresAddress | null> {
  const real = await realpath(dataDir).catch(() => null)
  if (real === null) return null
  const sockets = await socketPathTo(real)
  try {
    const holder = await readyHolder(sockets)
    return holder?.socketDir ? await addressAt(holder.socketDir, real) : null
  } catch (error) {
    throw asStartError(error, dataDir)
  } finally {
    await sockets.remove()
  }
}

/** Whether there is a database to start. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  try {
    return (await readdir(join(dataDir, CLUSTER))).length > 0
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw asStartError(error, dataDir)
  }
}

async function start(
  options: EmbeddedOptions,
  undo: AsyncDisposableStack,
): Promise<PostgresAddress> {
  const dataDir = await openDataDir(options.dataDir)
  const sockets = await socketPathTo(dataDir)
  undo.defer(sockets.remove)
  const { owner, dataDir: shownAs } = options
  const lock = await takeLock({ dataDir, socketPath: sockets.path, shownAs, owner })
  undo.defer(lock.release)
  await replaceLeftLink(dataDir, sockets.path)
  const socketDir = join(sockets.path, CLUSTER)
  const site = await prepareSite({ ...options, dataDir, socketDir })
  const postmaster = await startPostmaster(site, socketDir, options.settings ?? {})
  undo.defer(postmaster.stop)
  watch(postmaster, options, undo)
  const address = await addressAt(socketDir, dataDir)
  lock.announce(socketDir)
  undo.defer(() => lock.announce(null))
  return address
}

async function openDataDir(dataDir: string): Promise<string> {
  const mode = passageMode()
  if (await makeDirectory(resolve(dataDir), mode)) await chmod(dataDir, mode)
  return await realpath(resolve(dataDir))
}

type ClusterPlace = { dataDir: string; socketDir: string; patience?: Patience }

/** Prepares the database directory, and stops leftovers of a killed service there. */
async function prepareSite({
  dataDir,
  socketDir,
  patience = ordinaryPatience,
}: ClusterPlace): Promise<Site> {
  const clusterDir = join(dataDir, CLUSTER)
  const binaries = await locateBinaries()
  const runner = await runnerFor(await accountFor(clusterDir), binaries, dataDir)
  const site = { dataDir, clusterDir, binaries, runner, patience }
  await removeUnfinished(dataDir)
  if ((await findCluster(clusterDir, binaries)) === 'absent') {
    await createCluster(site)
    return site
  }
  await clearLeftovers({ clusterDir, socketDir })
  await takeOver(site)
  if ((await readPassword(dataDir)) === null) await replacePassword(site, socketDir)
  return site
}

function watch(postmaster: Postmaster, options: EmbeddedOptions, undo: AsyncDisposableStack): void {
  void postmaster.exited.then(
    (lastOutput) => {
      if (!undo.disposed) options.onExit?.(`PostgreSQL ended ${lastOutput}`)
    },
    () => {},
  )
}

async function readyHolder(sockets: SocketPath): Promise<Holder | null> {
  const giveUpAt = Date.now() + READY_WITHIN_MS
  for (;;) {
    const holder = await askHolder(sockets.path)
    const isLate = Date.now() > giveUpAt
    if (holder === null || (holder === 'silent' && isLate)) return null
    if (holder !== 'silent' && (holder.socketDir !== null || isLate)) return holder
    await sleep(POLL_MS)
  }
}

async function addressAt(host: string, dataDir: string): Promise<PostgresAddress> {
  const password = await readPassword(dataDir)
  if (password === null) throw new StartError(`${dataDir} has lost its file postgres-password.`)
  return { host, port: PORT, user: DATABASE_USER, password, database: DATABASE_NAME }
}
