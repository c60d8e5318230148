import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blocksOf } from '../guides/blocks.ts'

// Runs the block of the guide in a clone, with programs that only note how they were called.
const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/deployment.md'), 'utf8')
const block = blocksOf(guide).find(({ text }) => text.includes('git fetch --tags'))?.text ?? ''

let home: string
let origin: string
let clone: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-upgrade-'))
  origin = join(home, 'origin')
  clone = join(home, 'clone')
  await mkdir(join(home, 'bin'))
  for (const name of ['systemctl', 'npm']) {
    const file = join(home, 'bin', name)
    await writeFile(file, `#!/bin/sh\necho ${name} "$@" >> ${join(home, 'calls')}\n`)
    await chmod(file, 0o755)
  }
  await mkdir(origin)
  git(origin, 'init', '--quiet', '--initial-branch=main')
  await commit('1')
  git(home, 'clone', '--quiet', origin, clone)
})
afterEach(() => rm(home, { recursive: true }))

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' }).trim()
}

async function commit(text: string): Promise<string> {
  await writeFile(join(origin, 'file'), text)
  git(origin, 'add', '--all')
  git(origin, 'commit', '--quiet', '-m', text)
  return git(origin, 'rev-parse', 'HEAD')
}

function upgrade() {
  const script = block.replaceAll('/opt/flightdeck', clone)
  const env = { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home }
  const { status, stdout } = spawnSync('sh', ['-c', script], { env, encoding: 'utf8' })
  const calls = join(home, 'calls')
  const called = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
  return { status, stdout, called, commit: git(clone, 'rev-parse', 'HEAD') }
}

const allCalls = ['systemctl stop flightdeck', 'npm ci', 'systemctl start flightdeck']

test('where nothing is newer, with tags or without, the service is not stopped', () => {
  const here = git(clone, 'rev-parse', 'HEAD')
  const nothing = { status: 0, stdout: 'There is nothing newer.\n', called: [], commit: here }
  expect(upgrade()).toEqual(nothing)
  git(origin, 'tag', 'v0.1.0')
  expect(upgrade()).toEqual(nothing)
})

test('without tags the newest commit is installed', async () => {
  const commitOf2 = await commit('2')
  expect(upgrade()).toMatchObject({ status: 0, called: allCalls, commit: commitOf2 })
  expect(upgrade()).toMatchObject({ stdout: 'There is nothing newer.\n', called: allCalls })
})

test('with tags the newest version is installed, and nothing after it', async () => {
  git(origin, 'tag', 'v0.9.0')
  const commitOf2 = await commit('2')
  git(origin, 'tag', 'v0.10.0')
  await commit('3')
  expect(upgrade()).toMatchObject({ status: 0, called: allCalls, commit: commitOf2 })
})

test('where a file was changed, the service is not stopped', async () => {
  const here = git(clone, 'rev-parse', 'HEAD')
  await commit('2')
  await writeFile(join(clone, 'file'), 'changed here')
  const { status, stdout, called, commit: after } = upgrade()
  expect([status, called, after]).toEqual([1, [], here])
  expect(stdout).toContain('file | 2 +-')
})
