import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../values/errors.ts'
import { StartError } from '../start-error.ts'
import { type FileLock, tryFileLock } from './file-lock.ts'

/** The holder of a data directory; `socketDir` is null while it starts or stops. */
export type Holder = { pid: number; owner: string; socketDir: string | null }

type LockRequest = {
  dataDir: string
  /** A path to the same directory that is short enough for a socket. */
  socketPath: string
  /** The directory as configured, for messages. */
  shownAs: string
  owner: string
}

type Lock = { announce(socketDir: string | null): void; release(): Promise<void> }

const LOCK_SOCKET = 'lock.sock'
const PID_FILE = 'flightdeck.pid'
const PATIENCE_MS = 1_500
const ANSWER_WITHIN_MS = 2_000

/**
 * Locks the data directory for this process, or throws a StartError that names its holder. The file
 * lock excludes others; the socket answers who holds it.
 */
export async function takeLock(request: LockRequest): Promise<Lock> {
  const fileLock = await takeFileLock(request)
  const path = join(request.socketPath, LOCK_SOCKET)
  const pidFile = join(request.dataDir, PID_FILE)
  const holder: Holder = { pid: process.pid, owner: request.owner, socketDir: null }
  const server = createServer((client) => answer(client, holder))
  const release = async () => {
    await rm(pidFile, { force: true })
    server.close()
    fileLock.release()
  }
  try {
    // File locks have no effect on some network file systems: the socket still works there.
    await refuseIfHeld(request)
    await rm(path, { force: true })
    await listen(server, path)
    await chmod(path, 0o600)
    // Replaced, not overwritten: an ordinary user cannot write to a file that root left.
    await rm(pidFile, { force: true })
    await writeFile(pidFile, `${process.pid}\n`)
  } catch (error) {
    server.close()
    fileLock.release()
    throw error
  }
  return { announce: (socketDir) => Object.assign(holder, { socketDir }), release }
}

/** The holder of the data directory; null without one, 'silent' if it does not answer. */
export async function askHolder(socketPath: string): Promise<Holder | 'silent' | null> {
  const client = connect(join(socketPath, LOCK_SOCKET))
  let text = ''
  client.setEncoding('utf8')
  client.setTimeout(ANSWER_WITHIN_MS, () => client.destroy(new Error('no answer')))
  try {
    for await (const chunk of client) text += chunk
    return parseHolder(text)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EACCES') throw error
    // A listener whose process is being killed accepts, then resets.
    const isGone = code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
    return isGone ? null : 'silent'
  }
}

/** Retries briefly, as the holder may be just starting, stopping or being killed. */
async function takeFileLock(request: LockRequest): Promise<FileLock> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const fileLock = await tryFileLock(request.dataDir)
    if (fileLock !== null) return fileLock
    await refuseIfHeld(request)
    if (Date.now() > giveUpAt) throw await inUse(request, 'silent')
    await sleep(25)
  }
}

async function refuseIfHeld(request: LockRequest): Promise<void> {
  const holder = await askHolder(request.socketPath)
  if (holder !== null) throw await inUse(request, holder)
}

async function inUse(request: LockRequest, holder: Holder | 'silent'): Promise<StartError> {
  const who =
    holder === 'silent'
      ? `a process that does not answer (pid ${await writtenPid(request.dataDir)})`
      : `${holder.owner} (pid ${holder.pid})`
  return new StartError(
    `The data directory ${request.shownAs} is in use by ${who}. ` +
      'Stop it first, or set another FLIGHTDECK_DATA_DIR.',
  )
}

async function writtenPid(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, PID_FILE), 'utf8').catch(() => '')
  return text.trim() || 'unknown'
}

function answer(client: Socket, holder: Holder): void {
  client.on('error', () => client.destroy())
  client.end(`${JSON.stringify(holder)}\n`, () => client.destroy())
}

function parseHolder(text: string): Holder | null {
  if (!text.endsWith('\n')) return null
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return null
  if (!('pid' in value) || !('owner' in value) || !('socketDir' in value)) return null
  const { pid, owner, socketDir } = value
  if (typeof pid !== 'number' || typeof owner !== 'string') return null
  return { pid, owner, socketDir: typeof socketDir === 'string' ? socketDir : null }
}

async function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(path, resolve)
  await promise
  // A caller that cannot be accepted (too many open files) must not end the service.
  server.on('error', () => {})
}
