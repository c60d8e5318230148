import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-made-'))
})
afterEach(() => rm(home, { recursive: true }))

test('a directory is made with those above it, by several at once too', async () => {
  const path = join(home, 'a/b/c')
  await Promise.all(Array.from({ length: 8 }, () => makeDirectory(path, 0o700)))
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect(await makeDirectory(path)).toBe(false)
})

test('a directory that a link leads to is there', async () => {
  await symlink(home, join(home, 'link'))
  expect(await makeDirectory(join(home, 'link'))).toBe(false)
})

test.each(['/proc/x', '/proc/x/y/z'])(
  '%s cannot be made, which ends with an error',
  async (path) => {
    await expect(makeDirectory(path)).rejects.toThrow('ENOENT')
  },
)

test('a file in the way, and a link that leads nowhere, are errors', async () => {
  await writeFile(join(home, 'file'), '')
  await symlink(join(home, 'gone'), join(home, 'nowhere'))
  await expect(makeDirectory(join(home, 'file'))).rejects.toThrow('EEXIST')
  await expect(makeDirectory(join(home, 'file/below'))).rejects.toThrow('ENOTDIR')
  await expect(makeDirectory(join(home, 'nowhere'))).rejects.toThrow('ENOENT')
})
