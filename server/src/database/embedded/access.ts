import { chmod, lchown, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'

const ROOT = 0
const SEARCH = 1
const READ = 4

/** The first directory or file on the way to `paths` that the account cannot access, or null. */
export async function closedTo(account: Account, paths: string[]): Promise<string | null> {
  for (const path of paths) {
    const real = await realpath(path)
    for (const parent of parentsOf(real)) {
      if (!(await allows(account, parent, SEARCH))) return parent
    }
    const isDirectory = (await stat(real)).isDirectory()
    if (!(await allows(account, real, isDirectory ? SEARCH : READ))) return real
  }
  return null
}

/** Whether root's permissions keep all other users out of this directory. */
export async function isClosedToOthers(directory: string): Promise<boolean> {
  const real = await realpath(directory)
  for (const path of [...parentsOf(real), real]) {
    const { uid, gid, mode } = await stat(path)
    const isOpen = (mode & SEARCH) !== 0 || (gid !== ROOT && (mode & (SEARCH << 3)) !== 0)
    if (uid === ROOT && !isOpen) return true
  }
  return false
}

/**
 * Changes the owner of a directory and its content, from the top down: once a directory is taken, its
 * previous owner cannot swap the files in it.
 */
export async function giveTo(account: Account, directory: string): Promise<void> {
  const { uid: from } = await lstat(directory)
  await give(account, directory, from)
}

async function give(account: Account, path: string, from: number): Promise<void> {
  const before = await lstat(path)
  // A hard link may lead to a file elsewhere that the previous owner did not own.
  if (before.nlink > 1 && before.uid !== from && !before.isDirectory()) return
  await lchown(path, account.uid, account.gid)
  if (!(await lstat(path)).isDirectory()) return
  await chmod(path, 0o700)
  for (const name of await readdir(path)) await give(account, join(path, name), from)
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...parentsOf(parent), parent]
}

async function allows(account: Account, path: string, bit: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  if (uid === account.uid) return (mode & (bit << 6)) !== 0
  if (gid === account.gid) return (mode & (bit << 3)) !== 0
  return (mode & bit) !== 0
}
