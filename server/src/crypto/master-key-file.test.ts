import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { loadMasterKey } from './master-key-file.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flightdeck-key-'))
})
afterEach(() => rm(directory, { recursive: true }))

const load = (dataDir: string, proofs: unknown[] = []) =>
  loadMasterKey(readConfig({ FLIGHTDECK_DATA_DIR: dataDir }), {
    query: async <Row>() => proofs as Row[],
  })

const rounds = 100
/** Loads a key in each round, at the same moment as the others do. */
const loader = (begin: number) => `
  import { setTimeout } from 'node:timers/promises'
  import { loadMasterKey } from ${JSON.stringify(new URL('./master-key-file.ts', import.meta.url).href)}
  const keys = []
  for (let round = 0; round < ${rounds}; round += 1) {
    await setTimeout(Math.max(0, ${begin} + round * 15 - Date.now()))
    const dataDir = ${JSON.stringify(directory)} + '/' + round
    keys.push(await loadMasterKey({ masterKey: null, dataDir }, { query: async () => [] }))
  }
  console.log(JSON.stringify(keys))`

const run = promisify(execFile)

test('processes that create it at once get the same one, and leave no other files', async () => {
  const begin = Date.now() + 1_000
  const words = ['--input-type=module', '-e', loader(begin)]
  const loaded = await Promise.all([1, 2, 3, 4].map(() => run(process.execPath, words)))
  const [first, ...others] = loaded.map(({ stdout }) => JSON.parse(stdout))
  for (const keys of others) expect(keys).toEqual(first)
  expect(new Set(first).size).toBe(rounds)
  for (const dataDir of await readdir(directory)) {
    expect(await readdir(join(directory, dataDir))).toEqual(['master.key'])
  }
})

test('an existing key is kept, and made private', async () => {
  const file = join(directory, 'master.key')
  await writeFile(file, 'mine\n', { mode: 0o644 })
  expect([await load(directory), await load(directory)]).toEqual(['mine', 'mine'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('none is created for a database that has one, because it would look valid', async () => {
  await expect(load(directory, [{}])).rejects.toThrow(`There is no master key in ${directory}`)
  expect(await readdir(directory)).toEqual([])
  await writeFile(join(directory, 'master.key'), 'mine\n')
  expect(await load(directory, [{}])).toBe('mine')
})
