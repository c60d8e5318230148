import { chmod, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

/** A path to the data directory that is short enough for the sockets within. */
export type SocketPath = { path: string; remove(): Promise<void> }

const LONGEST_SOCKET = '/postgres/.s.PGSQL.5432'
// sun_path holds 108 bytes on Linux, 104 elsewhere, the last of them a zero.
const MAX_BYTES = process.platform === 'linux' ? 107 : 103
const PREFIX = 'flightdeck-'
const LINK = 'data'

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
    // PostgreSQL may run as another user: that one passes, but lists nothing.
    await chmod(folder, 0o711)
    await symlink(dataDir, join(folder, LINK))
  } catch (error) {
    await remove()
    throw error
  }
  return { path: join(folder, LINK), remove }
}

/** Removes the link that a killed service left, given the socket directory its PostgreSQL used. */
export async function removeLeftLink(socketDir: string, dataDir: string): Promise<void> {
  const link = dirname(socketDir)
  const folder = dirname(link)
  if (basename(link) !== LINK || !basename(folder).startsWith(PREFIX)) return
  const target = await readlink(link).catch(() => null)
  if (target === dataDir) await rm(folder, { recursive: true, force: true })
}

function fits(dataDir: string): boolean {
  return Buffer.byteLength(dataDir + LONGEST_SOCKET) <= MAX_BYTES
}
