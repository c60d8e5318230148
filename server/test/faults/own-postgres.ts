import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPidFile } from '../../src/database/embedded/pid-file.ts'
import {
  type EmbeddedPostgres,
  type PostgresAddress,
  startEmbedded,
} from '../../src/database/embedded/start.ts'

/** A PostgreSQL of one test file: it may be stopped, killed, copied and restarted. */
export type OwnPostgres = {
  readonly address: PostgresAddress
  readonly isRunning: boolean
  start(settings?: Record<string, string>): Promise<void>
  /** As `pg_ctl stop -m fast`. */
  stop(): Promise<void>
  /** Kills the postmaster with -9; its children notice. */
  kill(): Promise<void>
  /** Stops it and copies it into another one that is not started yet. */
  copy(): Promise<OwnPostgres>
  /** Stops it and restarts it as a read-only standby. */
  demote(): Promise<void>
  close(): Promise<void>
}

const ordinary = { max_connections: '100', min_wal_size: '32MB', max_wal_size: '64MB' }

/** Not started yet. A given directory is not removed at the end. */
export const ownPostgres = async (given?: string): Promise<OwnPostgres> =>
  given === undefined ? postgresIn(await newDirectory(), removeDirectory) : postgresIn(given)

function postgresIn(
  dataDir: string,
  remove: (directory: string) => Promise<void> = async () => {},
): OwnPostgres {
  const clusterDir = join(dataDir, 'postgres')
  let address: PostgresAddress | undefined
  let running: EmbeddedPostgres | undefined
  let hasEnded = false

  async function stop(): Promise<void> {
    await running?.stop()
    running = undefined
  }

  return {
    get address() {
      if (!address) throw new Error('it was never started')
      return address
    },
    get isRunning() {
      return running !== undefined && !hasEnded
    },
    async start(settings = {}) {
      // A server that ended by itself holds its data directory until it is stopped.
      await stop()
      hasEnded = false
      const onExit = () => {
        hasEnded = true
      }
      const all = { ...ordinary, ...settings }
      running = await startEmbedded({ dataDir, owner: 'a fault test', settings: all, onExit })
      address = running.address
    },
    stop,
    async kill() {
      const { pid } = (await readPidFile(clusterDir)) ?? {}
      if (pid) process.kill(pid, 'SIGKILL')
      await stop()
    },
    async copy() {
      const directory = await newDirectory()
      await cp(dataDir, directory, { recursive: true })
      return postgresIn(directory, removeDirectory)
    },
    demote: () => writeFile(join(clusterDir, 'standby.signal'), ''),
    async close() {
      await stop()
      await remove(dataDir)
    },
  }
}

const newDirectory = () => mkdtemp(join(tmpdir(), 'flightdeck-fault-'))
const removeDirectory = (path: string) => rm(path, { recursive: true, force: true })
