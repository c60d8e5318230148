import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../values/errors.ts'

type PidFile = { pid: number; isReady: boolean }

/** The content of postmaster.pid, or null. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(unlessAbsent)
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, isReady: lines[7]?.trim() === 'ready' }
}

/**
 * Puts our own pid into a stale postmaster.pid. PostgreSQL refuses to start if a process with that pid
 * lives, unless it is its parent; without the file it would not notice a dead one's busy children.
 * A pid that the new PostgreSQL reuses (in containers) would look ready too early.
 */
export async function disownPidFile(clusterDir: string): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(unlessAbsent)
  if (text === null) return
  // Not through a symlink: we may be root, and the directory another user's.
  await using file = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW)
  await file.writeFile(text.replace(/^\d+/, String(process.pid)))
}

function unlessAbsent(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}
