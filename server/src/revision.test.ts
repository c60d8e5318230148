import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRevision } from './revision.ts'

let root: string

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim()

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'flightdeck-revision-'))
  await mkdir(join(root, 'server/src'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const revision = (at = root) => readRevision(join(at, 'server/src'))

function commit(): string {
  git('init', '--quiet', '--initial-branch=main')
  git('commit', '--quiet', '--allow-empty', '-m', 'First')
  return git('rev-parse', 'HEAD')
}

test('a clone says its commit: of a branch, detached, and with packed references', () => {
  const first = commit()
  expect(revision()).toBe(first)
  git('checkout', '--quiet', '--detach')
  expect(revision()).toBe(first)
  git('checkout', '--quiet', 'main')
  git('pack-refs', '--all')
  expect(revision()).toBe(first)
})

test('another work tree says its own commit', async () => {
  commit()
  const other = join(root, 'other')
  git('worktree', 'add', '--quiet', '-b', 'other', other)
  git('-C', other, 'commit', '--quiet', '--allow-empty', '-m', 'Second')
  expect(revision(other)).toBe(git('-C', other, 'rev-parse', 'HEAD'))
  expect(revision(other)).not.toBe(revision())
})

test('what is baked into a build wins', async () => {
  commit()
  const baked = 'a'.repeat(40)
  await writeFile(join(root, 'server/src/revision.json'), JSON.stringify({ revision: baked }))
  expect(revision()).toBe(baked)
})

test('without either, and with anything else than a commit, it is unknown', async () => {
  expect(revision()).toBeNull()
  git('init', '--quiet')
  expect(revision()).toBeNull()
  for (const text of ['', '{"revision": "main"}', '{"revision": null}', '[', 'null']) {
    await writeFile(join(root, 'server/src/revision.json'), text)
    expect(revision()).toBeNull()
  }
})
