import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run, serve } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'

let home: string
let database: FreshDatabase
let env: Record<string, string>

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-newer-'))
  database = await migratedDatabase()
  env = { FLIGHTDECK_DATABASE_URL: urlOf(database) }
})
afterEach(async () => {
  await database.drop()
  await rm(home, { recursive: true })
})

test('serve and migrate name the migrations of newer code', async () => {
  await database.query(`insert into migrations (name) values ('9998_a'), ('9999_future')`)
  const migrated = await run(home, ['migrate', '--json'], env)
  expect(JSON.parse(migrated.stdout)).toEqual({ applied: [], unknown: ['9998_a', '9999_future'] })
  const { stdout } = await run(home, ['migrate'], env)
  expect(stdout).toMatch(
    /^The database was changed by newer code: this Flightdeck \(.+\) does not know 9998_a, 9999_future\.\n$/,
  )
  const service = await serve(home, env)
  const warnings = service.logged.filter((line) => line.level === 'warn' && line.migrations)
  expect(warnings).toEqual([
    expect.objectContaining({
      migrations: ['9998_a', '9999_future'],
      msg: expect.stringContaining('does not know 9998_a, 9999_future'),
    }),
  ])
  await service.stop('SIGTERM')
})

test('code that is too old for the database ends with one line', async () => {
  await database.query(`insert into migrations (name, is_floor) values ('9999_future', true)`)
  for (const words of [['serve'], ['migrate'], ['orgs', 'list']]) {
    const { code, stderr } = await run(home, words, env)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^flightdeck: This Flightdeck \(.+\) is too old for the database: .+9999_future\. Install .+\n$/,
    )
  }
})
