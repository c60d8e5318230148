import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { quoteOutput, StartError } from '../start-error.ts'
import type { Site } from './cluster.ts'
import { cannotLaunch, launch, pathFor } from './launch.ts'
import { openLog, type PostgresLog } from './log.ts'
import { readPidFile } from './pid-file.ts'

/** A running PostgreSQL. `exited` resolves to its exit and its last output: '(code 1):\n  …'. */
export type Postmaster = { exited: Promise<string>; stop(): Promise<void> }

export const PORT = 5432

const POLL_MS = 20
const REPORT_EVERY_MS = 10_000
const FAST_STOP_MS = 20_000
const CHILDREN_END_WITHIN_MS = 10_000

// Passed at each start, so that an upgrade of the service can change them.
const SETTINGS: Record<string, string> = {
  cluster_name: 'flightdeck',
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  // The superuser cannot log in, so no connections are reserved for it.
  superuser_reserved_connections: '0',
  shared_buffers: '128MB',
  // The defaults for 16 MB segments; initdb scales them down with the segment size.
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  // Six times as often as by default: until then plans know nothing of what was just loaded.
  autovacuum_naptime: '10s',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  // Keeps details and statements, which contain customers' data, out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/** Starts PostgreSQL and waits until it is ready. */
export async function startPostmaster(
  site: Site,
  socketDir: string,
  settings: Record<string, string>,
): Promise<Postmaster> {
  const giveUpAt = Date.now() + CHILDREN_END_WITHIN_MS
  const sockets = socketSetting(pathFor(site.runner, socketDir))
  for (;;) {
    try {
      return await startOnce(site, { ...SETTINGS, ...sockets, ...settings })
    } catch (error) {
      // The children of a killed PostgreSQL notice its end soon, and exit.
      const isHeldByChildren =
        error instanceof StartError && error.message.includes('pre-existing shared memory block')
      if (!isHeldByChildren || Date.now() > giveUpAt) throw error
      await sleep(250)
    }
  }
}

/** The setting is a list, so a path with a comma needs quotes. */
function socketSetting(socketDir: string): Record<string, string> {
  return { unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"` }
}

async function startOnce(site: Site, settings: Record<string, string>): Promise<Postmaster> {
  const log = await openLog(site.dataDir)
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached, so that Ctrl-C in a terminal reaches only the service.
  const { runner, clusterDir, binaries } = site
  const args = ['-D', pathFor(runner, clusterDir), ...pairs]
  const command = { program: binaries.postgres, directory: clusterDir, args }
  const child = launch(runner, command, { stdio: ['ignore', log.fd, log.fd], detached: true })
  const exited = exitOf(child, binaries.postgres, log)
  // A process that exits without stop() ends PostgreSQL too, unless it is killed.
  const interrupt = () => void child.kill('SIGINT')
  process.once('exit', interrupt)
  void exited.finally(() => process.off('exit', interrupt)).catch(() => {})
  try {
    await untilReady({ site, child, exited, log })
  } catch (error) {
    await stop(child, exited)
    throw error
  }
  return { exited, stop: () => stop(child, exited) }
}

async function exitOf(child: ChildProcess, program: string, log: PostgresLog): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('error', (error) => reject(cannotLaunch(program, error)))
  child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  try {
    const end = await promise
    return `(${end}):${quoteOutput(await log.tail())}`
  } finally {
    await log.close()
  }
}

type Starting = { site: Site; child: ChildProcess; exited: Promise<string>; log: PostgresLog }

/** Waits long, as the recovery of a killed database may take minutes; says so while it waits. */
async function untilReady({ site, child, exited, log }: Starting): Promise<void> {
  const { waitAtMostMs, report } = site.patience
  let failure: unknown
  void exited.then(
    (lastOutput) => {
      failure = new StartError(`PostgreSQL did not start ${lastOutput}`)
    },
    (error: unknown) => {
      failure = error
    },
  )
  const began = Date.now()
  let reportAt = began + REPORT_EVERY_MS
  while (failure === undefined) {
    const file = await readPidFile(site.clusterDir)
    if (file?.isReady && file.pid === child.pid) return
    if (Date.now() > began + waitAtMostMs)
      throw new StartError(
        `PostgreSQL was not ready in ${waitAtMostMs / 1_000} s${await sayings(log)}`,
      )
    if (Date.now() > reportAt) {
      reportAt += REPORT_EVERY_MS
      report(`PostgreSQL is still starting${await sayings(log)}`)
    }
    await sleep(POLL_MS)
  }
  throw failure
}

/** The last line of its log, which says what it is at. */
const sayings = async (log: PostgresLog) => {
  const last = (await log.tail()).trim().split('\n').at(-1)
  return last ? `: ${last}` : ''
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
  await exited.finally(() => clearTimeout(timer)).catch(() => {})
}
