import { chmod, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'

/** A path to the data directory that is short enough for the sockets within. */
export type SocketPath = { path: string; remove(): Promise<void> }

const LONGEST_SOCKET = '/postgres/.s.PGSQL.5432'
// sun_path holds 108 bytes on Linux, 104 elsewhere, the last of them a zero.
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
    // PostgreSQL may run as another user: that one passes, but lists nothing.
    await chmod(folder, 0o711)
    await symlink(dataDir, join(folder, LINK))
  } catch (error) {
    await remove()
    throw error
  }
  return { path: join(folder, LINK), remove }
}

/** Notes the link in the data directory, and removes the one that a killed service noted there. */
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
  return Buffer.byteLength(dataDir + LONGEST_SOCKET) <= MAX_BYTES
}
