import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../start-error.ts'

/** An exclusive lock on a directory; the kernel frees it when its process ends, however that ends. */
export type FileLock = { release(): void }

const FILE = 'lock'
const SQLITE_BUSY = 5

/**
 * Locks a directory, or returns null while another process has it. Node has no flock, but brings
 * SQLite, whose exclusive transaction is such a lock on an empty file, on every platform.
 */
export async function tryFileLock(directory: string): Promise<FileLock | null> {
  const path = join(directory, FILE)
  await createFor(directory, path)
  const database = new DatabaseSync(path)
  try {
    // Without this an empty journal would lie beside it.
    database.exec('pragma journal_mode = memory; begin exclusive')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Closed to others: whoever can read a file can lock it. It is never removed, nor opened besides:
 * the first would make two locks of one, and closing it again would free the lock.
 */
async function createFor(directory: string, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(unlessPresent)
  if (file === null) return
  // Made by root, it must not refuse the directory's owner later.
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
