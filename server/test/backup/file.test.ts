import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileKeyOf } from '../../src/backup/file-key.ts'
import { newFile } from '../../src/backup/new-file.ts'
import { cipherWith, newMasterKey } from '../../src/crypto/cipher.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-new-file-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const writing = `
  const [module, path] = process.argv.slice(1)
  const { newFile } = await import(module)
  const key = { fingerprint: Buffer.alloc(32), digestKey: Buffer.alloc(32) }
  await using file = await newFile(path, key)
  await file.block('end', Buffer.alloc(2_000))
  console.log(await file.keep())`

/** Runs in a process with a file size limit, as on a disk that is nearly full. */
function write(path: string, limit: number) {
  const module = join(import.meta.dirname, '../../src/backup/new-file.ts')
  const node = [process.execPath, '--input-type=module', '-e', writing, module, path]
  return spawnSync('prlimit', [`--fsize=${limit}`, ...node], { encoding: 'utf8' })
}

test('a file that was written only in part never gets its final name', async () => {
  const path = join(dir, 'short.backup')
  const short = write(path, 1_000)
  expect(short.status).not.toBe(0)
  expect(short.stderr).toContain(`${path} cannot be written: EFBIG`)
  expect(await readdir(dir)).toEqual([])
  const whole = write(path, 4_000)
  expect([whole.stderr, Number(whole.stdout)]).toEqual(['', 20 + 32 + 5 + 2_000 + 32])
  expect(await readdir(dir)).toEqual(['short.backup'])
})

test('leftovers of a killed process do not block a later process with the same pid', async () => {
  const path = join(dir, 'again.backup')
  await writeFile(`${path}.unfinished-${process.pid}`, 'killed')
  await using file = await newFile(path, fileKeyOf(cipherWith(newMasterKey())))
  await file.block('end', Buffer.alloc(10))
  expect(await file.keep()).toBe(20 + 32 + 5 + 10 + 32)
})
