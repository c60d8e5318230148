import { constants } from 'node:fs'
import { access, chown, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { errorCode, StartError } from './start-error.ts'

/** A user that PostgreSQL runs as; it refuses to run as root. */
export type Account = { uid: number; gid: number }

const ROOT = 0
const NOBODY: Account = { uid: 65534, gid: 65534 }
const SEARCH = 1
const READ = 4

/** Whom PostgreSQL runs as: null for the user of this process, right unless that is root. */
export async function accountFor(clusterDir: string): Promise<Account | null> {
  const uid = process.geteuid?.() ?? null
  const owner = await ownerOf(clusterDir)
  if (uid === ROOT) return owner === null || owner.uid === ROOT ? await nobody() : owner
  if (owner !== null && uid !== null && owner.uid !== uid) {
    throw new StartError(
      `${clusterDir} belongs to the user with id ${owner.uid}, who this is not: ` +
        `start as root or that user, or give it over with chown -R.`,
    )
  }
  if (owner === null) requireName()
  return null
}

/** The first directory or file on the way to `paths` that is closed to the account, or null. */
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

/** Gives a directory and all in it to the account; follows no links. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true })
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await giveTo(account, path)
    else if (!entry.isSymbolicLink()) await chown(path, account.uid, account.gid)
  }
  await chown(directory, account.uid, account.gid)
}

/** The full path of a system program, or null. Looks in the usual places besides PATH. */
export async function findProgram(name: string): Promise<string | null> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin']
  for (const folder of folders.filter((path) => path.startsWith('/'))) {
    const path = join(folder, name)
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isRunnable) return path
  }
  return null
}

async function ownerOf(path: string): Promise<Account | null> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** initdb does not work for a user without a name, as `docker run --user 1234` makes one. */
function requireName(): void {
  try {
    userInfo()
  } catch {
    throw new StartError(
      `PostgreSQL needs a name for user id ${process.geteuid?.()}: add it to /etc/passwd, start ` +
        'as another user (root will do), or set FLIGHTDECK_DATABASE_URL to your own PostgreSQL.',
    )
  }
}

async function nobody(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? []
  return uid === undefined || gid === undefined ? NOBODY : { uid: Number(uid), gid: Number(gid) }
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
