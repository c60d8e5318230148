import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBackup } from '../../src/backup/create.ts'
import { openRestorable, restoreBackup } from '../../src/backup/restore.ts'
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts'
import { dateText, makePartitions } from '../../src/database/upkeep/partitions.ts'
import { pruneAuditLogs } from '../../src/features/audit-logs/retention.ts'
import { type FreshDatabase, freshDatabase } from '../support/machines/fresh-database.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { clientOf, openWorld } from '../support/world.ts'

// A backup, a migration and a purge on one database: the service keeps running, and the backup
// is consistent.

let dir: string
let life: AsyncDisposableStack

beforeEach(async () => {
  life = new AsyncDisposableStack()
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-locks-'))
  life.defer(() => rm(dir, { recursive: true, force: true }))
})
afterEach(() => life.disposeAsync())

async function fresh(): Promise<FreshDatabase> {
  const database = await freshDatabase()
  life.defer(() => database.drop())
  return database
}

const ownWorld = async () => {
  const world = await openOwnWorld()
  life.defer(() => world.close())
  return world
}

/** Another session that holds the locks of this statement until it is released. */
async function holding({ address }: FreshDatabase, sql: string) {
  const client = new pg.Client({ ...address, application_name: 'another-client' })
  await client.connect()
  life.defer(() => client.end())
  await client.query('begin')
  await client.query(sql)
  return { letGo: () => client.query('commit') }
}

const waitingFor = (database: FreshDatabase, what: string) =>
  vi.waitFor(async () => {
    const sql = `select from pg_locks where not granted and ${what}`
    expect(await database.query(sql)).toHaveLength(1)
  }, 20_000)

const migration = (name: string, sql: string) => writeFile(join(dir, `${name}.sql`), sql)

describe('a migration', () => {
  test('that waits for a table lock lets others read and write, and names whom it waits for', async () => {
    const database = await fresh()
    await migration('0001_made', 'create table made (id int)')
    await migrate(database.address, dir)
    const reader = await holding(database, 'select from made')
    await migration('0002_wider', 'alter table made add column size int')
    const reported: string[] = []
    const migrated = migrate(database.address, dir, { report: (line) => reported.push(line) })
    await waitingFor(database, `relation = 'made'::regclass`)
    await database.query(`set statement_timeout = '5s'`)
    await database.query('insert into made values (1)')
    await vi.waitFor(() => expect(reported).toHaveLength(1), 20_000)
    expect(reported[0]).toMatch(
      /^migration 0002_wider waits for another-client \(pid \d+, since 20.+Z\); /,
    )
    await reader.letGo()
    expect(await migrated).toEqual(['0002_wider'])
    expect(await database.query('select id, size from made')).toEqual([{ id: 1, size: null }])
  })

  test('waits for the end of a backup, but does not wait when none is running', async () => {
    const { database, services } = await ownWorld()
    const busy = await holding(database, 'lock table master_keys in access exclusive mode')
    const backup = createBackup(join(dir, 'one.backup'), {
      address: database.address,
      cipher: services.crypto.cipher,
    })
    await waitingFor(database, `relation = 'master_keys'::regclass`)
    expect(await migrate(database.address)).toEqual([])
    for (const { name, sql } of await readMigrations()) await migration(name, sql)
    await migration('9999_last', 'create table last (id int)')
    const reported: string[] = []
    const migrated = migrate(database.address, dir, { report: (line) => reported.push(line) })
    await vi.waitFor(() => expect(reported).toHaveLength(1), 20_000)
    expect(reported[0]).toMatch(
      /^the migrations wait for flightdeck backup create \(pid \d+, since /,
    )
    await busy.letGo()
    expect((await backup).header.migrations).not.toContain('9999_last')
    expect(await migrated).toEqual(['9999_last'])
  })
})

describe('a wait that is too long ends with one line', () => {
  const patience = { waitAtMostMs: 10, report: () => {} }

  test('migrations wait for their lock no longer than they may', async () => {
    const database = await fresh()
    await migration('0001_made', 'create table made (id int)')
    await holding(database, 'select pg_advisory_xact_lock(7352114)')
    await expect(migrate(database.address, dir, patience)).rejects.toThrow(
      /^the migrations wait for another-client \(pid \d+, since .+\), for 0.01 s now: end that, or try again later\.$/,
    )
  })

  test('a migration waits for a locked table no longer than it may', async () => {
    const database = await fresh()
    await migration('0001_made', 'create table made (id int)')
    await migrate(database.address, dir)
    await holding(database, 'select from made')
    await migration('0002_wider', 'alter table made add column size int')
    await expect(migrate(database.address, dir, patience)).rejects.toThrow(
      /^migration 0002_wider waits for another-client .+, for 0.01 s now/,
    )
  })
})

/** Ages all present records beyond the retention. */
async function storedLongAgo({ database, services, clock }: OwnWorld): Promise<void> {
  const past = new Date(clock.now().getTime() - 500 * 24 * 60 * 60 * 1000)
  await makePartitions(services.database, past)
  await database.query('begin')
  await database.query(`set local flightdeck.pruning = 'on'`)
  await database.query('update audit_logs set stored_on = $1', [dateText(past)])
  await database.query('commit')
}

test('a purge while a backup waits for its locks leaves a valid chain in the backup', async () => {
  const world = await ownWorld()
  const { database, services } = world
  const acme = await world.organization()
  for (const name of ['Acme 1', 'Acme 2']) await acme.owner.patch('/organization', { name })
  await storedLongAgo(world)
  await acme.owner.patch('/organization', { name: 'Acme 3' })
  // The first table that the backup locks, so it holds none of the others yet.
  const first = 'create table a_first (id int)'
  await database.query(first)
  const busy = await holding(database, 'lock table a_first in access exclusive mode')
  const path = join(dir, 'pruned.backup')
  const backup = createBackup(path, { address: database.address, cipher: services.crypto.cipher })
  await waitingFor(database, `relation = 'a_first'::regclass`)
  expect(await pruneAuditLogs(services, AbortSignal.timeout(10_000))).toMatchObject({ dropped: 3 })
  await busy.letGo()
  await backup

  const target = await fresh()
  await migrate(target.address)
  await target.query(first)
  await using file = await openRestorable(path, services.crypto.cipher)
  await restoreBackup(file, target.address)
  const restored = await openWorld({ address: target.address, clock: world.clock })
  life.defer(() => restored.close())
  const chain = await clientOf(restored.app, acme.owner).get('/audit_logs/verify')
  expect(chain.json()).toMatchObject({ valid: true })
})

test('a database that is not UTF-8 is refused in one line, and nothing is created in it', async () => {
  const database = await fresh()
  const name = `latin_${randomUUID().replaceAll('-', '')}`
  await database.query(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`)
  life.defer(async () => void (await database.query(`drop database ${name}`)))
  const address = { ...database.address, database: name }
  const refusal =
    'The database has the encoding LATIN1, and Flightdeck needs UTF8: create database … encoding '
  await expect(migrate(address)).rejects.toThrow(refusal)
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query(`select from pg_class where relname = 'migrations'`)
  await client.end()
  expect(rows).toEqual([])
})
