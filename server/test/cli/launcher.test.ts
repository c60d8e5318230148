import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { version } from '../../src/version.ts'

const root = join(import.meta.dirname, '../../..')
let home: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'flightdeck launcher-')))
})
afterEach(() => rm(home, { recursive: true }))

type Place = { cwd?: string; PATH?: string }

function run(program: string, args: string[], { cwd = home, PATH = '/usr/bin:/bin' }: Place = {}) {
  const env = { PATH, HOME: home }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const itsVersion = { status: 0, stdout: `${version}\n`, stderr: '' }

/** A program that says that it was run. */
async function fake(name: string): Promise<void> {
  const file = join(home, 'bin', name)
  await mkdir(join(home, 'bin'), { recursive: true })
  await writeFile(file, `#!/bin/sh\necho ran ${name}\n`)
  await chmod(file, 0o755)
}

/** A clone before `npm ci`. */
async function bareClone(): Promise<string> {
  const clone = join(home, 'clone')
  await cp(join(root, 'flightdeck'), join(clone, 'flightdeck'))
  await cp(join(root, 'server/bin'), join(clone, 'server/bin'), { recursive: true })
  return clone
}

test('the launcher runs from its directory, and from any other', () => {
  expect(run('./flightdeck', ['--version'], { cwd: root })).toEqual(itsVersion)
  expect(run(join(root, 'flightdeck'), ['--version'])).toEqual(itsVersion)
})

test('the launcher runs through links, by path and by name', async () => {
  await mkdir(join(home, 'bin'))
  await symlink(join(root, 'flightdeck'), join(home, 'linked'))
  await symlink('../linked', join(home, 'bin/flightdeck'))
  const PATH = `${join(home, 'bin')}:/usr/bin:/bin`
  expect(run('sh', ['-c', 'flightdeck --version'], { PATH })).toEqual(itsVersion)
  expect(run('bin/flightdeck', ['--version'])).toEqual(itsVersion)
})

test('the launcher takes the Node.js that npm installed before the one on the path', async () => {
  await fake('node')
  const PATH = `${join(home, 'bin')}:/usr/bin:/bin`
  expect(run(join(root, 'flightdeck'), ['--version'], { PATH })).toEqual(itsVersion)
})

test('the launcher takes the Node.js on the path where npm installed none', async () => {
  await fake('node')
  const clone = await bareClone()
  await mkdir(join(clone, 'node_modules'))
  const PATH = `${join(home, 'bin')}:/usr/bin:/bin`
  expect(run(join(clone, 'flightdeck'), [], { PATH }).stdout).toBe('ran node\n')
})

test('without dependencies it says so in one line, and fetches nothing', async () => {
  const clone = await bareClone()
  for (const each of ['npm', 'npx', 'node']) await fake(each)
  const PATH = `${join(home, 'bin')}:/usr/bin:/bin`
  expect(run(join(clone, 'flightdeck'), ['orgs', 'list'], { PATH })).toEqual({
    status: 1,
    stdout: '',
    stderr: `flightdeck: Dependencies are missing: run npm ci in ${clone}.\n`,
  })
})

test('it says the same while npm ci has removed only some of them', async () => {
  const clone = await bareClone()
  await cp(join(root, 'package.json'), join(clone, 'package.json'))
  await cp(join(root, 'server/src'), join(clone, 'server/src'), { recursive: true })
  await cp(join(root, 'server/package.json'), join(clone, 'server/package.json'))
  await mkdir(join(clone, 'node_modules/.bin'), { recursive: true })
  await symlink(process.execPath, join(clone, 'node_modules/.bin/node'))
  expect(run(join(clone, 'flightdeck'), ['orgs', 'list'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'flightdeck: Dependencies are missing: run npm ci in its directory.\n',
  })
})

test('without any Node.js it says where one comes from', async () => {
  const clone = await bareClone()
  await mkdir(join(clone, 'node_modules'))
  const PATH = join(home, 'bin')
  await mkdir(PATH)
  for (const each of ['dirname', 'readlink']) await symlink(`/usr/bin/${each}`, join(PATH, each))
  expect(run('/bin/sh', [join(clone, 'flightdeck'), 'orgs', 'list'], { PATH })).toEqual({
    status: 1,
    stdout: '',
    stderr: `flightdeck: There is no Node.js: run npm ci in ${clone}, which installs one.\n`,
  })
})
