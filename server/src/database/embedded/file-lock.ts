import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../values/errors.ts'

/** An exclusive lock on a directory; the kernel frees it even when the process is killed. */
export type FileLock = { release(): void }

const FILE = 'lock'
const SQLITE_BUSY = 5

/**
 * Locks a directory; null while another process holds it. Node has no flock, but SQLite, whose
 * exclusive transaction is such a lock on every platform.
 */
export async function tryFileLock(directory: string): Promise<FileLock | null> {
  const path = join(directory, FILE)
  await createFor(directory, path)
  const database = new DatabaseSync(path)
  try {
    // Without this pragma SQLite leaves an empty journal file.
    database.exec('pragma journal_mode = memory; begin exclusive')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Closed to other users, as anyone who can read a file can lock it. Never removed, which would allow
 * two locks, and never opened otherwise, as closing it again would free the lock.
 */
async function createFor(directory: string, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(unlessPresent)
  if (file === null) return
  // Created by root, it must stay usable for the directory's owner.
  if (process.geteuid?.() === 0) await giveToOwner(file, directory)
  await file.close()
}

async function giveToOwner(file: FileHandle, directory: string): Promise<void> {
  const { uid, gid } = await stat(directory)
  await file.chown(uid, gid)
}

function unlessPresent(error: unknown): null {
  if (errorCode(error) === 'EEXIST') return null
  throw error
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
