import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../start-error.ts'

type PidFile = { pid: number; isReady: boolean }

/** What a PostgreSQL says of itself in its directory, or null. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(unlessAbsent)
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, isReady: lines[7]?.trim() === 'ready' }
}

/**
 * Puts our own number into a stale postmaster.pid. PostgreSQL refuses to start when that one lives,
 * except as its parent; without the file it would not find a dead one's children still at work.
 * A number that the next PostgreSQL gets again (in containers) would look ready before it is.
 */
export async function disownPidFile(clusterDir: string): Promise<void> {
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
