import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { begin, run } from '../support/machines/command-line.ts'
import { freshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-waits-'))
})
afterEach(() => rm(home, { recursive: true }))

const impossible = { FLIGHTDECK_PORT: '0', FLIGHTDECK_DATA_DIR: '/proc/x' }
const refusal = /^flightdeck: The data directory \/proc\/x cannot be used: ENOENT.*\n$/

test('a data directory that cannot be made is refused in one line', async () => {
  for (const command of ['serve', 'migrate']) {
    const { code, stderr } = await run(home, [command], impossible)
    expect([code, stderr]).toEqual([1, expect.stringMatching(refusal)])
  }
})

test('a data directory that cannot be made for the master key is refused too', async () => {
  const database = await migratedDatabase()
  const env = { ...impossible, FLIGHTDECK_DATABASE_URL: urlOf(database) }
  const { code, stderr } = await run(home, ['serve'], env)
  expect([code, stderr]).toEqual([1, expect.stringMatching(refusal)])
  await database.drop()
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the making of a database', async (signal) => {
  const service = begin(home, ['serve'], { FLIGHTDECK_PORT: '0' })
  const data = join(home, 'data')
  const isMaking = async () => (await readdir(data)).some((name) => /^postgres\.new-/.test(name))
  await vi.waitFor(async () => expect(await isMaking()).toBe(true), {
    timeout: 30_000,
    interval: 5,
  })
  service.signal(signal)
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  // The next start clears up what is left.
  const again = await run(home, ['migrate'])
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect((await readdir(data)).filter((name) => /^postgres\.new-/.test(name))).toEqual([])
})

test('where the password of the first owner cannot be kept, there is no owner', async () => {
  const database = await migratedDatabase()
  const env = {
    ...impossible,
    FLIGHTDECK_DATABASE_URL: urlOf(database),
    FLIGHTDECK_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  }
  const { code, stderr } = await run(home, ['serve'], env)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^flightdeck: The first owner's password cannot be kept in \/proc\/x\/first-password: .+\n$/,
    ),
  ])
  expect(await database.query('select from organizations')).toEqual([])
  await database.drop()
})

test('SIGTERM ends the wait for the migrations of others', async () => {
  const database = await freshDatabase()
  const backup = new pg.Client({
    ...database.address,
    application_name: 'flightdeck backup create',
  })
  await backup.connect()
  await backup.query('select pg_advisory_lock_shared(7352114)')
  const env = { FLIGHTDECK_DATABASE_URL: urlOf(database), FLIGHTDECK_PORT: '0' }
  const service = begin(home, ['serve'], env)
  await vi.waitFor(
    () => expect(service.output.stdout).toContain('wait for flightdeck backup create'),
    30_000,
  )
  service.signal('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  await backup.end()
  await database.drop()
})
