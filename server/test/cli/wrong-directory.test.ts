import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commands } from '../../src/commands/commands.ts'
import { run } from '../support/machines/command-line.ts'
import { freshDatabase, urlOf } from '../support/machines/fresh-database.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-wrong-'))
})
afterEach(() => rm(home, { recursive: true }))

const mayCreate = ['serve', 'migrate', 'orgs create', 'backup restore']
const needNone = ['config check', 'backup verify', 'openapi', 'mcp', 'mail test']

const org = 'org_01m7yez275fk1a52pr5qevn8kn'
const rest: Record<string, string[]> = {
  'orgs set-plan': [org, 'free'],
  'orgs suspend': [org],
  'orgs resume': [org],
  'orgs trust-domain': [org, 'example.com'],
  'users create': ['--org', org, '--email', 'a@b.cd', '--role', 'owner'],
  'users set-password': ['--email', 'a@b.cd'],
  'users disable': ['--email', 'a@b.cd'],
  'users enable': ['--email', 'a@b.cd'],
  'users set-role': ['--email', 'a@b.cd', '--role', 'viewer'],
  'api-keys revoke': ['key_01m7yez275fk1a52pr5qevn8kn'],
  'backup create': ['--out', 'new.backup'],
}

const names = commands.map(({ usage }) => usage.replace(/ <.*/, ''))
const others = names.filter((name) => ![...mayCreate, ...needNone].includes(name))

test.each(others)('%s says where there is no database, and creates none', async (name) => {
  expect(await run(home, [...name.split(' '), ...(rest[name] ?? [])])).toEqual({
    code: 1,
    stdout: '',
    stderr: `flightdeck: There is no database in ${join(home, 'data')}. Set FLIGHTDECK_DATA_DIR or FLIGHTDECK_DATABASE_URL as for the service.\n`,
  })
  expect(await readdir(home)).toEqual([])
})

test('an external database without data is not filled either', async () => {
  const database = await freshDatabase()
  const env = { FLIGHTDECK_DATABASE_URL: urlOf(database) }
  expect(await run(home, ['orgs', 'list'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      / has no data of Flightdeck\. Check FLIGHTDECK_DATABASE_URL\.\n$/,
    ),
  })
  const tables = `select from pg_tables where schemaname = 'public'`
  expect(await database.query(tables)).toEqual([])
  expect(await run(home, ['migrate'], env)).toMatchObject({ code: 0 })
  expect(await run(home, ['orgs', 'list'], env)).toMatchObject({ code: 0 })
  await database.drop()
})

test('orgs create may be the first command of an installation', async () => {
  const words = ['orgs', 'create', '--name', 'Acme', '--plan', 'free']
  expect(await run(home, words)).toMatchObject({ code: 0, stderr: '' })
  expect(await run(home, ['orgs', 'list'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Acme'),
  })
})
