import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../values/errors.ts'
import { StartError } from '../start-error.ts'
import { disownPidFile, readPidFile } from './pid-file.ts'

/** `socketDir` is the same directory, by a path short enough for a socket. */
type Places = { clusterDir: string; socketDir: string }

const SOCKET = '.s.PGSQL.5432'
const FAST_STOP_MS = 10_000
const POLL_MS = 20

/** Stops the PostgreSQL that a killed service left running, and removes its files. */
export async function clearLeftovers({ clusterDir, socketDir }: Places): Promise<void> {
  const left = await readPidFile(clusterDir)
  if (left !== null) {
    if (await isPostgresOf(clusterDir, left.pid)) await stopLeft(clusterDir, left.pid)
    else await endChildren(clusterDir)
    await disownPidFile(clusterDir)
  }
  await removeLeftSocket(join(socketDir, SOCKET))
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

/** Ends the children of a killed PostgreSQL, as busy ones do not notice its end. */
async function endChildren(clusterDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  const names = await readdir('/proc')
  for (const pid of names.map(Number).filter((number) => number > 0)) {
    if (await isPostgresOf(clusterDir, pid)) send(pid, 'SIGQUIT')
  }
}

/** Whether the process is this directory's PostgreSQL, not another that reuses its pid. */
async function isPostgresOf(clusterDir: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return await looksLikePostgresOf(clusterDir, pid)
  // A zombie keeps its pid, but has no links.
  const [directory, program] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => null),
    readlink(`/proc/${pid}/exe`).catch(() => ''),
  ])
  return directory === clusterDir && basename(program).startsWith('postgres')
}

async function looksLikePostgresOf(clusterDir: string, pid: number): Promise<boolean> {
  const args = ['-ww', '-o', 'command=', '-p', String(pid)]
  const ps = promisify(execFile)('ps', args, { timeout: FAST_STOP_MS })
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
 * PostgreSQL would respect a stale socket lock if another process has its pid now. So the socket is
 * tested itself: a pid means nothing in another container.
 */
async function removeLeftSocket(path: string): Promise<void> {
  if (await accepts(path)) {
    throw new StartError(
      `A PostgreSQL that is not visible here (in a container?) still runs at ${path}.`,
    )
  }
  await rm(path, { force: true })
  await rm(`${path}.lock`, { force: true })
}

async function accepts(path: string): Promise<boolean> {
  const client = connect(path)
  try {
    await once(client, 'connect')
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
}
