import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCatalogue, schemaText, typesText } from '../../../scripts/generate/catalogue.ts'
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts'
import { clientIds } from '../../src/features/clients/resource.ts'
import { folded } from '../../src/values/folded.ts'
import { isId } from '../../src/values/ids.ts'
import { nameKey } from '../../src/values/name-key.ts'
import { plain } from '../../src/values/plain.ts'
import { thisBuild } from '../../src/version.ts'
import { type FreshDatabase, freshDatabase } from '../support/machines/fresh-database.ts'

const repository = join(import.meta.dirname, '../../..')
const committed = (path: string) => readFile(join(repository, path), 'utf8')

let database: FreshDatabase
let dir: string

beforeEach(async () => {
  database = await freshDatabase()
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-migrations-'))
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

const write = (name: string, sql: string) => writeFile(join(dir, `${name}.sql`), sql)
const appliedNames = async () =>
  (await database.query<{ name: string }>('select name from migrations order by name')).map(
    ({ name }) => name,
  )
const tablesOf = async () =>
  (
    await database.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
  ).map(({ name }) => name)

describe('the migrations', () => {
  test('run once each when twelve processes start at once on a new database', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
    const runs = await Promise.all(Array.from({ length: 12 }, () => migrate(database.address)))
    expect(runs.filter((applied) => applied.length > 0)).toEqual([names])
    expect(await appliedNames()).toEqual(names)
    expect(await migrate(database.address)).toEqual([])
  })

  test('produce exactly the committed schema and types', async () => {
    await migrate(database.address)
    const catalogue = await readCatalogue(database.address)
    expect(schemaText(catalogue)).toBe(await committed('server/schema.sql'))
    expect(typesText(catalogue)).toBe(await committed('server/src/database/tables/types.ts'))
  })

  test('are numbered without a gap, and named', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
    names.forEach((name, at) => {
      expect(name).toMatch(new RegExp(`^${String(at + 1).padStart(4, '0')}_[a-z_]+$`))
    })
  })
})

test('leases of the version before, jobs of pg-boss, are removed; scheduled jobs stay', async () => {
  const boss = new PgBoss({ ...database.address, schema: 'pgboss' })
  boss.on('error', () => {})
  await boss.start()
  for (const queue of ['webhook-lanes', 'campaigns.timed-moves', 'rate-limits.purge']) {
    await boss.createQueue(queue, { policy: 'short' })
    for (const id of ['a', 'b']) await boss.send(queue, null, { singletonKey: id })
    await boss.fetch(queue)
  }
  await migrate(database.address)
  for (const table of ['queue', 'job']) {
    const rows = await database.query<{ name: string }>(`select distinct name from pgboss.${table}`)
    const names = rows.map(({ name }) => name).filter((name) => !name.startsWith('__pgboss'))
    expect(names).toEqual(['rate-limits.purge'])
  }
  expect(await boss.fetch('rate-limits.purge')).toHaveLength(1)
  await boss.stop({ graceful: false })
})

test('names from before lists ignored case are sorted like the others', async () => {
  const all = await readMigrations()
  const count = all.findIndex(({ name }) => name.endsWith('folded_names'))
  for (const { name, sql } of all.slice(0, count)) await write(name, sql)
  await migrate(database.address, dir)
  await database.query(`insert into organizations (id, name, plan, created_at, updated_at)
    values ('org_1', 'Acme', 'free', now(), now())`)
  await database.query(`insert into templates (organization_id, id, name, defaults, locked_fields,
      labels, metadata, version, created_at, updated_at)
    values ('org_1', 'tpl_1', 'Spring SALE', '{}', '{}', '{}', '{}', 1, now(), now())`)
  await migrate(database.address)
  expect(await database.query('select name_folded from templates')).toEqual([
    { name_folded: 'spring sale' },
  ])
})

test('names from before searches left accents out are found like the others', async () => {
  const all = await readMigrations()
  const count = all.findIndex(({ name }) => name.endsWith('plain_names'))
  for (const { name, sql } of all.slice(0, count)) await write(name, sql)
  await migrate(database.address, dir)
  await database.query(`insert into organizations (id, name, plan, created_at, updated_at)
    values ('org_1', 'Acme', 'free', now(), now())`)
  const names = ['Spring SALE', 'Größe – Köln', 'ΟΔΥΣΣΕΥΣ', 'ガラス', 'हिन्दी', 'متجرٌ']
  for (const [at, name] of names.entries())
    await database.query(`insert into templates (organization_id, id, name, name_folded, defaults,
        locked_fields, labels, metadata, version, created_at, updated_at)
      values ('org_1', 'tpl_${at}', '${name}', '${folded(name)}', '{}', '{}', '{}', '{}', 1, now(),
        now())`)
  await migrate(database.address)
  const rows = await database.query<{ searched: string }>(
    'select coalesce(plain_name_folded, name_folded) as searched from templates order by id',
  )
  expect(rows.map(({ searched }) => searched)).toEqual(names.map(plain))
})

test('each name of a client that profiles have becomes one client of its organization', async () => {
  const all = await readMigrations()
  const count = all.findIndex(({ name }) => name.endsWith('clients_as_objects'))
  for (const { name, sql } of all.slice(0, count)) await write(name, sql)
  await migrate(database.address, dir)
  for (const id of ['org_1', 'org_2', 'org_3']) {
    await database.query(`insert into organizations (id, name, plan, created_at, updated_at)
      values ('${id}', 'Acme', 'free', now(), now())`)
    await database.query(`insert into organization_heads (organization_id, counts)
      values ('${id}', '{"profiles": 9}')`)
  }
  const rows = [
    ['org_1', 'prf_1', 'ACME'],
    ['org_1', 'prf_2', 'Acme'],
    ['org_1', 'prf_3', 'Acme'],
    ['org_1', 'prf_4', 'Ａｃｍｅ '],
    ['org_1', 'prf_5', 'Straße Köln'],
    ['org_1', 'prf_6', 'STRASSE KÖLN'],
    ['org_1', 'prf_7', 'ΟΔΥΣΣΕΥΣ'],
    ['org_1', 'prf_8', 'ﷺ'.repeat(200)],
    ['org_1', 'prf_9', null],
    ['org_2', 'prf_1', 'Acme'],
    ['org_3', 'prf_1', null],
  ]
  for (const [organization, id, client] of rows)
    await database.query(
      `insert into profiles (organization_id, id, name, name_folded, client, platform, time_zone,
        status, labels, metadata, version, created_at, updated_at)
      values ($1, $2, 'P', 'p', $3, 'meta', 'UTC', 'active', '{}', '{}', 3, now(), now())`,
      [organization, id, client],
    )
  await migrate(database.address)
  const clients = await database.query<{
    organization_id: string
    id: string
    name: string
    nfkc_name_folded: string
    searched: string
  }>(`select *, coalesce(plain_name_folded, name_folded) as searched from clients
    order by organization_id, name`)
  expect(clients.map(({ organization_id, name }) => [organization_id, name])).toEqual([
    ['org_1', 'Acme'],
    ['org_1', 'Straße Köln'],
    ['org_1', 'ΟΔΥΣΣΕΥΣ'],
    ['org_1', 'ﷺ'.repeat(200)],
    ['org_2', 'Acme'],
  ])
  for (const { id, name, nfkc_name_folded, searched } of clients) {
    expect([id, isId(clientIds, id)]).toEqual([id, true])
    expect([nfkc_name_folded, searched]).toEqual([nameKey(name), plain(name)])
  }
  const profiles = await database.query<{ id: string; client: string | null; version: number }>(
    `select id, client, version from profile_details where organization_id = 'org_1' order by id`,
  )
  expect(profiles.map(({ client }) => client)).toEqual([
    ...Array(4).fill('Acme'),
    ...Array(2).fill('Straße Köln'),
    'ΟΔΥΣΣΕΥΣ',
    'ﷺ'.repeat(200),
    null,
  ])
  expect(new Set(profiles.map(({ version }) => version))).toEqual(new Set([3]))
  expect(
    await database.query('select counts from organization_heads order by organization_id'),
  ).toEqual([
    { counts: { profiles: 9, clients: 4 } },
    { counts: { profiles: 9, clients: 1 } },
    { counts: { profiles: 9 } },
  ])
})

describe('a migration', () => {
  test('that fails is rolled back, and the error names it and the cause', async () => {
    await write('0001_fine', 'create table fine (id int)')
    await write('0002_broken', 'create table half (id int); insert into half values (1 / 0)')
    await expect(migrate(database.address, dir)).rejects.toThrow(
      'migration 0002_broken failed: division by zero',
    )
    expect(await appliedNames()).toEqual(['0001_fine'])
    expect(await tablesOf()).toEqual(['fine', 'migrations'])
  })

  test('that failed is applied once it is fixed; earlier ones are not repeated', async () => {
    await write('0001_fine', 'create table fine (id int)')
    await write('0002_broken', 'create table half (id nothing)')
    await expect(migrate(database.address, dir)).rejects.toThrow('0002_broken')
    await write('0002_broken', 'create table half (id int)')
    await write('0003_last', 'create table last (id int)')
    expect(await migrate(database.address, dir)).toEqual(['0002_broken', '0003_last'])
    expect(await tablesOf()).toEqual(['fine', 'half', 'last', 'migrations'])
  })

  test('that fails in one process does not block another process', async () => {
    await write('0001_broken', 'select 1 / 0')
    const runs = Array.from({ length: 4 }, () => migrate(database.address, dir))
    for (const run of await Promise.allSettled(runs)) expect(run.status).toBe('rejected')
    await write('0001_broken', 'select 1')
    expect(await migrate(database.address, dir)).toEqual(['0001_broken'])
  })

  /** Code that knows all migrations but the last, which has this SQL and which newer code has applied. */
  async function olderThan(sql: string): Promise<void> {
    for (const { name, sql } of await readMigrations()) await write(name, sql)
    await write('9999_newer', sql)
    await migrate(database.address, dir)
    await rm(join(dir, '9999_newer.sql'))
  }

  test('of newer code is left alone by older code, which names it', async () => {
    await olderThan('create table newer (id int)')
    const named: string[][] = []
    const onUnknown = (names: string[]) => named.push(names)
    expect(await migrate(database.address, dir, { onUnknown })).toEqual([])
    expect(named).toEqual([['9999_newer']])
    expect(await tablesOf()).toContain('newer')
  })

  test('that older code may not run with stops it, and names itself and what applied it', async () => {
    await olderThan(`update migrations set is_floor = true where name = '9999_newer'`)
    await expect(migrate(database.address, dir)).rejects.toThrow(
      `This Flightdeck (${thisBuild}) is too old for the database: it may be used only by code that knows the migration 9999_newer of Flightdeck ${thisBuild}. Install that or a newer one, or restore a backup.`,
    )
  })

  test('is marked where it takes away what the code before reads', async () => {
    const takes = /\bdrop (?:table|column)\b|\brename (?:to|column)\b|\bset schema\b/i
    const marks = /update migrations set is_floor = true where name = '(\w+)'/
    const since = (await readMigrations()).filter(({ name }) => name >= '0043')
    const unmarked = since.filter(
      ({ sql, name }) => takes.test(sql) && marks.exec(sql)?.[1] !== name,
    )
    expect(unmarked.map(({ name }) => name)).toEqual([])
  })
})

test('a server that is too old is refused by name, before anything is written', async () => {
  const old = await pretendToBe('140011')
  try {
    const { port } = old.address() as { port: number }
    const address = { host: '127.0.0.1', port, user: 'u', password: '', database: 'd' }
    const message = 'PostgreSQL 14 is too old: Flightdeck needs 15 or newer'
    await expect(migrate(address)).rejects.toThrow(message)
  } finally {
    old.close()
  }
})

const message = (type: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.concat([int16(0), int16(value)])
const ready = message('Z', 'I')

/** Speaks just enough of PostgreSQL's protocol to report a version. */
function pretendToBe(version: string): Promise<Server> {
  const column = Buffer.concat([
    Buffer.from('server_version_num\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(65535),
    Buffer.from([255, 255, 255, 255]),
    int16(0),
  ])
  const row = Buffer.concat([int16(1), int32(version.length), Buffer.from(version)])
  const answer = Buffer.concat([
    message('T', int16(1), column),
    message('D', row),
    message('C', 'SHOW\0'),
    ready,
  ])
  const server = createServer((socket) => {
    let isOpen = false
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const isEnd = isOpen && bytes.toString('latin1', 0, 1) === 'X'
      if (isEnd) socket.end()
      else socket.write(isOpen ? answer : Buffer.concat([message('R', int32(0)), ready]))
      isOpen = true
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
