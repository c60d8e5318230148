import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revision, version } from '../../src/version.ts'
import { run } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'

const counter = pathToFileURL(
  join(import.meta.dirname, '../support/machines/count-modules.ts'),
).href

let database: FreshDatabase

beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

/** How many files a command loads. A file costs 0.2 ms and more. */
async function filesLoadedBy(...args: string[]): Promise<number> {
  const env = {
    FLIGHTDECK_DATABASE_URL: urlOf(database),
    NODE_OPTIONS: `--import=${counter}`,
  }
  const { stderr } = await run(tmpdir(), args, env)
  return Number(/^loaded (\d+) files$/m.exec(stderr)?.[1])
}

test.each([
  { most: 20, args: ['--version'] },
  { most: 20, args: ['help'] },
  { most: 20, args: ['orgs', 'create', '--help'] },
  { most: 40, args: ['config', 'check'] },
  { most: 60, args: ['listen'] },
  { most: 100, args: ['migrate'] },
  { most: 400, args: ['orgs', 'list'] },
])('loads at most $most files for $args', async ({ most, args }) => {
  const count = await filesLoadedBy(...args)
  expect(count).toBeGreaterThan(5)
  expect(count).toBeLessThanOrEqual(most)
})

test('says its version and the commit of its code', async () => {
  for (const words of [
    ['--version', '--json'],
    ['--json', '-V'],
  ]) {
    const { code, stdout, stderr } = await run(tmpdir(), words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ version, revision })
  }
  expect(revision).toMatch(/^[0-9a-f]{40}$/)
  expect(await run(tmpdir(), ['--version'])).toMatchObject({ stdout: `${version}\n` })
})

test('prints its help on standard output when called without a command', async () => {
  const alone = await run(tmpdir(), [])
  expect(alone).toMatchObject({ code: 0, stderr: '' })
  expect(alone.stdout).toMatch(/^Usage: flightdeck .*\bserve\b.*\bmcp\b.*api-help/s)
  expect(alone).toEqual(await run(tmpdir(), ['help']))
})

test('reports an unknown command on standard error', async () => {
  const unknown = await run(tmpdir(), ['explode'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toContain("unknown command 'explode'")
})
