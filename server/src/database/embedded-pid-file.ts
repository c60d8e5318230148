import { constants } from 'node:fs'
import { open, readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeLeftLink } from './embedded-socket-path.ts'
import { errorCode, StartError } from './start-error.ts'

export type PidFile = { pid: number; socketDir: string; isReady: boolean }

const FAST_STOP_MS = 10_000
const POLL_MS = 20

/** What a PostgreSQL says of itself in its directory, or null. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(unlessAbsent)
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, socketDir: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
}

/** Stops the PostgreSQL that a killed service left running, and clears what it left lying. */
export async function clearLeftovers(dataDir: string, clusterDir: string): Promise<void> {
  const left = await readPidFile(clusterDir)
  if (left === null) return
  if (await isPostgresOf(clusterDir, left.pid)) await stopLeft(clusterDir, left.pid)
  else await endChildren(clusterDir)
  await disownPidFile(clusterDir)
  await removeLeftLink(left.socketDir, dataDir)
}

async function stopLeft(clusterDir: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    send(pid, signal)
    const giveUpAt = Date.now() + FAST_STOP_MS
    while (Date.now() < giveUpAt) {
      if (!(await isPostgresOf(clusterDir, pid))) return
      await sleep(POLL_MS)
    }
  }
  throw new StartError(`A PostgreSQL left on ${clusterDir} does not stop (pid ${pid}). Kill it.`)
}

/** Children of a PostgreSQL that was killed alone: idle ones end by themselves, busy ones do not. */
async function endChildren(clusterDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  const names = await readdir('/proc')
  for (const pid of names.map(Number).filter((number) => number > 0)) {
    if (await isPostgresOf(clusterDir, pid)) send(pid, 'SIGQUIT')
  }
}

/** Whether the process is the PostgreSQL of this directory, not one that got its number since. */
async function isPostgresOf(clusterDir: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return await looksLikePostgresOf(clusterDir, pid)
  // Read anew each time: a dead process that nobody waited for keeps its number, but has no links.
  const [directory, program] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => null),
    readlink(`/proc/${pid}/exe`).catch(() => ''),
  ])
  return directory === clusterDir && basename(program).startsWith('postgres')
}

async function looksLikePostgresOf(clusterDir: string, pid: number): Promise<boolean> {
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  const { stdout } = await ps.catch(() => ({ stdout: '' }))
  return stdout.includes('postgres') && stdout.includes(`-D ${clusterDir} `)
}

function send(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/**
 * Puts our own number into a stale postmaster.pid. PostgreSQL refuses to start when the number in it is
 * alive, except its parent's; deleting the file would also delete the trace by which it finds children
 * of a dead postmaster still at work. And a number that the next PostgreSQL gets again (containers) would
 * look ready before it is.
 */
async function disownPidFile(clusterDir: string): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(unlessAbsent)
  if (text === null) return
  // Not through a link: we may be root here, and the directory another user's.
  await using file = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW)
  await file.writeFile(text.replace(/^\d+/, String(process.pid)))
}

function unlessAbsent(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}
