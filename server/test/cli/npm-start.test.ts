import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPidFile } from '../../src/database/embedded/pid-file.ts'

const root = join(import.meta.dirname, '../../..')
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-npm-'))
})
afterEach(() => rm(home, { recursive: true }))

/** As for a stranger: with the machine's own Node.js, and no settings of ours or of an outer npm. */
function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const path = PATH.split(delimiter).filter((each) => !each.endsWith('node_modules/.bin'))
  const settings = { FLIGHTDECK_PORT: '0', FLIGHTDECK_DATA_DIR: join(home, 'data') }
  return { PATH: path.join(delimiter), HOME, ...settings }
}

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout

/** A clone with today's changes. */
async function checkout(): Promise<string> {
  const directory = join(home, 'clone')
  const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const files = listed
    .split('\0')
    .filter((file) => /^(package|tsconfig|\.npmrc|(?:server|sdk|console|scripts)\/)/.test(file))
  for (const file of files) await cp(join(root, file), join(directory, file))
  return directory
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts the service with `npm start`, ends npm as a supervisor would, and returns who lives on. */
async function startAndEndNpm(cwd: string): Promise<number[]> {
  const npm = spawn('npm', ['start'], { cwd, env: environment() })
  const exited = once(npm, 'exit')
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += chunk
  })
  npm.stderr.resume()
  const findPid = () => /"pid":(\d+),.*"msg":"listening"/.exec(output)?.[1] ?? expect.fail(output)
  const service = await vi
    .waitFor(() => Number(findPid()), 60_000)
    .catch(async (error) => {
      npm.kill('SIGTERM')
      await exited
      throw error
    })
  const postgres = (await readPidFile(join(home, 'data', 'postgres')))?.pid ?? expect.fail('no pid')
  npm.kill('SIGTERM')
  await exited
  const pids = [service, postgres]
  await vi.waitFor(() => expect(pids.some(isAlive)).toBe(false), 20_000).catch(() => {})
  return pids.filter((pid) => isAlive(pid) && process.kill(pid, 'SIGKILL'))
}

test('the service and its PostgreSQL end with npm', async () => {
  expect(await startAndEndNpm(root)).toEqual([])
})

test('npm ci --omit=dev installs all that npm start needs, without a warning about Node.js', async () => {
  const cwd = await checkout()
  const args = ['ci', '--omit=dev', '--prefer-offline']
  const install = spawnSync('npm', args, { cwd, env: environment(), encoding: 'utf8' })
  expect(install.status, install.stderr).toBe(0)
  expect(install.stderr).not.toContain('EBADENGINE')
  expect(await startAndEndNpm(cwd)).toEqual([])
}, 180_000)
