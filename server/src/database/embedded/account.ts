import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { errorCode } from '../../values/errors.ts'
import { StartError } from '../start-error.ts'
import { findProgram } from './system-program.ts'

/** The user that PostgreSQL runs as, which must not be root. */
export type Account = { uid: number; gid: number }

const ROOT = 0
const NOBODY: Account = { uid: 65534, gid: 65534 }
// Outside the ranges for people and for systemd's dynamic users, and mapped in most containers.
const FIRST_OWN = 60_706
const LAST_OWN = 61_183
/** A directory service may be away. */
const answerWithinMs = 5_000

/**
 * The account PostgreSQL runs as: null for this process's user, unless that is root. For root it is
 * the directory's owner or, where that is root or `nobody`, an unused id.
 */
export async function accountFor(clusterDir: string): Promise<Account | null> {
  const uid = process.geteuid?.() ?? null
  const owner = await ownerOf(clusterDir)
  if (uid === ROOT) {
    return owner !== null && !(await isShared(owner.uid)) ? owner : await unusedAccount()
  }
  if (owner !== null && uid !== null && owner.uid !== uid) {
    throw new StartError(
      `${clusterDir} belongs to user id ${owner.uid}, not to this user: ` +
        `start as root or that user, or change its owner with chown -R.`,
    )
  }
  if (owner === null) requireName()
  return null
}

/**
 * The account initdb runs as, which needs a user name. Other programs may run as that user, but not
 * with this group, so they cannot trace initdb, nor reach its files in the closed folder.
 */
export async function makerFor(account: Account): Promise<Account> {
  const users = await readUsers()
  const named =
    users.find(({ name }) => name === 'nobody') ?? users.find((user) => user.uid !== ROOT)
  if (named === undefined) throw new StartError('initdb needs a user `nobody` in /etc/passwd.')
  return { uid: named.uid, gid: account.gid }
}

async function ownerOf(path: string): Promise<Account | null> {
  try {
    const { uid, gid } = await stat(path)
    // PostgreSQL must not read files of root's group.
    return { uid, gid: gid === ROOT ? uid : gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether other programs run as this user. An id of our range with a name came with moved data. */
async function isShared(uid: number): Promise<boolean> {
  if (uid === ROOT || uid === NOBODY.uid) return true
  if (uid >= FIRST_OWN && uid <= LAST_OWN) return await hasName(uid)
  const users = await readUsers()
  return users.some((user) => user.name === 'nobody' && user.uid === uid)
}

/** initdb does not work for a user without a name, as with `docker run --user 1234`. */
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

async function unusedAccount(): Promise<Account> {
  const [running, isMapped] = [await runningUsers(), await mappedIds()]
  const count = LAST_OWN - FIRST_OWN + 1
  const first = randomInt(count)
  for (let at = 0; at < count; at += 1) {
    const id = FIRST_OWN + ((first + at) % count)
    if (isMapped(id) && !running.has(id) && !(await hasName(id))) return { uid: id, gid: id }
  }
  throw new StartError(
    `PostgreSQL may not run as root, and no user id from ${FIRST_OWN} to ${LAST_OWN} is free here. ` +
      'Start as an ordinary user, or set FLIGHTDECK_DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Whether a user or a group has this id, in a directory service too. */
async function hasName(id: number): Promise<boolean> {
  const getent = await findProgram('getent')
  if (getent === null) return (await readUsers()).some(({ uid, gid }) => uid === id || gid === id)
  const finds = (database: string) =>
    promisify(execFile)(getent, [database, String(id)], { timeout: answerWithinMs }).then(
      () => true,
      () => false,
    )
  return (await finds('passwd')) || (await finds('group'))
}

async function readUsers(): Promise<(Account & { name: string })[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name = '', , uid, gid]) => name !== '' && !name.includes('#') && uid && gid)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid))
}

/** Ids in use, which include those of another Flightdeck's PostgreSQL. */
async function runningUsers(): Promise<Set<number>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const owners = pids.map((pid) => stat(`/proc/${pid}`).catch(() => null))
  return new Set((await Promise.all(owners)).flatMap((owner) => (owner ? [owner.uid] : [])))
}

/** Whether an id exists here; in a container not all do. */
async function mappedIds(): Promise<(id: number) => boolean> {
  const text = await readFile('/proc/self/uid_map', 'utf8').catch(() => '')
  const ranges = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return (id) =>
    text === '' || ranges.some(([from = 0, , length = 0]) => id >= from && id < from + length)
}
