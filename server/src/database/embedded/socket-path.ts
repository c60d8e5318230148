import { chmod, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'

/** A path to the data directory that is short enough for its sockets. */
export type SocketPath = { path: string; remove(): Promise<void> }

const MAX_SOCKET = '/postgres/.s.PGSQL.5432'
// sun_path holds 108 bytes on Linux, 104 elsewhere, including a terminating zero.
const MAX_BYTES = process.platform === 'linux' ? 107 : 103
const PREFIX = 'flightdeck-'
const LINK = 'data'
const NOTE = 'socket-path'

/** The data directory itself, or a link to it in a temporary folder when its path is too long. */
export async function socketPathTo(dataDir: string): Promise<SocketPath> {
  if (fits(dataDir)) return { path: dataDir, remove: async () => {} }
  const parent = [tmpdir(), '/tmp'].find((path) => fits(join(path, `${PREFIX}XXXXXX`, LINK)))
  if (parent === undefined) {
    throw new StartError(`The path ${dataDir} is too long for a socket. Set FLIGHTDECK_DATA_DIR.`)
  }
  const folder = await mkdtemp(join(parent, PREFIX))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    // PostgreSQL may run as another user, which may traverse the folder but not list it.
    await chmod(folder, 0o711)
    await symlink(dataDir, join(folder, LINK))
  } catch (error) {
    await remove()
    throw error
  }
  return { path: join(folder, LINK), remove }
}

/** Stores the link's path in the data directory, and removes the link that a killed service left. */
export async function replaceLeftLink(dataDir: string, path: string): Promise<void> {
  const note = join(dataDir, NOTE)
  const left = await readFile(note, 'utf8').catch(() => '')
  await rm(note, { force: true })
  if (path !== dataDir) await writeFile(note, path, { mode: 0o600 })
  if (basename(left) !== LINK || !basename(dirname(left)).startsWith(PREFIX)) return
  const target = await readlink(left).catch(() => null)
  if (target === dataDir) await rm(dirname(left), { recursive: true, force: true })
}

function fits(dataDir: string): boolean {
  return Buffer.byteLength(dataDir + MAX_SOCKET) <= MAX_BYTES
}
