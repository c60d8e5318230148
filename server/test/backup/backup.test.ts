import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createBackup } from '../../src/backup/create.ts'
import { openRestorable, restoreBackup } from '../../src/backup/restore.ts'
import { verifyBackup } from '../../src/backup/verify.ts'
import { cipherWith, newMasterKey } from '../../src/crypto/cipher.ts'
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts'
import { fullOrganization } from '../support/cases/full-organization.ts'
import { type FreshDatabase, freshDatabase } from '../support/machines/fresh-database.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { clientOf, openWorld, password, type TestOrganization } from '../support/world.ts'

let dir: string
let world: OwnWorld
let acme: TestOrganization
let file: string
/** The contents of the database when the backup was made. */
let before: Contents
let databases: FreshDatabase[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-backup-'))
  world = await openOwnWorld()
  acme = await fullOrganization(world)
  file = join(dir, 'whole.backup')
  before = await contentsOf(world.database)
  await world.database.query(`insert into leases values ('task', 'a process', 'infinity')`)
  await createBackup(file, source())
})
afterAll(async () => {
  await world.close()
  await rm(dir, { recursive: true, force: true })
})
afterEach(async () => {
  for (const database of databases) await database.drop()
  databases = []
})

const source = () => ({ address: world.database.address, cipher: world.services.crypto.cipher })

/** An empty database, dropped after the test. */
async function fresh(): Promise<FreshDatabase> {
  const database = await freshDatabase()
  databases.push(database)
  return database
}

async function restore(path: string, database: FreshDatabase) {
  await using opened = await openRestorable(path, world.services.crypto.cipher)
  return await restoreBackup(opened, database.address)
}

/** A backup of a database that contains little more than what `make` writes. */
async function backupOf(name: string, make: (database: FreshDatabase) => Promise<unknown>) {
  const database = await fresh()
  await make(database)
  const proof = world.services.crypto.cipher.seal('Flightdeck', 'master_key_proof')
  const [former] = await database.query(`select from pg_class where relname = 'master_key_proof'`)
  const into = former
    ? 'master_key_proof (sealed) values ($1)'
    : `master_keys values (1, $1, null, now())`
  await database.query(`insert into ${into}`, [proof])
  const path = join(dir, `${name}.backup`)
  const contents = await contentsOf(database)
  await createBackup(path, { ...source(), address: database.address })
  return { path, contents }
}

/** Without leases, which are about running processes. */
const tablesOf = async ({ query }: FreshDatabase): Promise<string[]> => {
  const sql = `select relname as name from pg_class where relkind in ('r', 'p') and relpersistence = 'p'
    and relnamespace = 'public'::regnamespace and not relispartition and relname <> 'leases' order by 1`
  return (await query<{ name: string }>(sql)).map(({ name }) => name)
}

type Contents = Record<string, unknown[]>

/** Every row of every table. The times of the migrations differ between databases. */
async function contentsOf(database: FreshDatabase): Promise<Contents> {
  const contents: Contents = {}
  for (const name of await tablesOf(database)) {
    const row = name === 'migrations' ? 'name' : 't::text'
    contents[name] = await database.query(`select ${row} as row from ${name} t order by 1`)
  }
  return contents
}

/** Another service on this database, until the test ends. */
async function serviceOn({ address }: FreshDatabase, life: AsyncDisposableStack) {
  const restored = await openWorld({ address, clock: world.clock })
  life.defer(() => restored.close())
  return restored
}

const laterTables = `
  create table zoo (id text primary key, size int,
    twice int generated always as (size * 2) stored);
  create table animals (id text, zoo text references zoo, kept_at timestamptz not null)
    partition by range (kept_at)`

describe('a restored backup', () => {
  test('has every row of every table unchanged', async () => {
    const target = await fresh()
    expect(await restore(file, target)).toEqual({ migrated: [] })
    expect(await contentsOf(target)).toEqual(before)
    expect(await target.query('select from leases')).toEqual([])
    const filled = Object.keys(before).filter((name) => before[name]?.length)
    expect(filled).toEqual(expect.arrayContaining(['audit_checkpoints', 'webhook_attempts']))
    expect(filled).toEqual(expect.arrayContaining(['change_sets', 'change_set_operations']))
    expect(filled).toEqual(expect.arrayContaining(['results', 'result_days', 'campaign_pacing']))
  })

  test('is a working service: login, list, launch, the audit chain and existing sessions', async () => {
    const target = await fresh()
    await restore(file, target)
    await using life = new AsyncDisposableStack()
    const restored = await serviceOn(target, life)
    const { email } = acme.owner
    const login = await restored.anonymous.post('/auth/login', { email, password })
    const owner = clientOf(restored.app, { ...acme.owner, token: login.json().token })
    const { data } = (await owner.get('/campaigns')).json()
    expect(data.map(({ status }: { status: string }) => status).sort()).toEqual(['active', 'draft'])
    const draft = data.find(({ status }: { status: string }) => status === 'draft')
    const launched = await owner.post(`/campaigns/${draft.id}/launch`)
    expect(launched.json()).toMatchObject({ status: 'active' })
    const verified = await owner.get('/audit_logs/verify')
    expect(verified.json()).toMatchObject({ valid: true, checkpoints: { count: 1 } })
    expect((await clientOf(restored.app, acme.owner).get('/auth/me')).statusCode).toBe(200)
  })

  test('is a consistent snapshot of a database under write load', async () => {
    const busy = await world.organization()
    const stop = new AbortController()
    const writing = (async () => {
      for (let at = 0; !stop.signal.aborted; at += 1) {
        await busy.owner.patch('/organization', { name: `Busy ${at}` })
      }
    })()
    const path = join(dir, 'busy.backup')
    await createBackup(path, source())
    stop.abort()
    await writing
    const target = await fresh()
    await restore(path, target)
    await using life = new AsyncDisposableStack()
    const restored = await serviceOn(target, life)
    const chain = await clientOf(restored.app, busy.owner).get('/audit_logs/verify')
    expect(chain.json()).toMatchObject({ valid: true })
  })

  test('includes tables of later migrations, in order of their references, with their partitions', async () => {
    const { path, contents } = await backupOf('later', async ({ address, query }) => {
      await migrate(address)
      await query(laterTables)
      await query(`create table animals_2020 partition of animals
        for values from ('2020-01-01') to ('2021-01-01')`)
      await query(`insert into zoo values ('north', 2)`)
      await query(`insert into animals values ('ape', 'north', '2020-05-01')`)
    })
    const target = await fresh()
    await migrate(target.address)
    await target.query(laterTables)
    await restore(path, target)
    expect(await contentsOf(target)).toEqual(contents)
    expect(await target.query('select from animals_2020')).toHaveLength(1)
  })

  test('of an older schema is migrated after the restore', async () => {
    const migrations = (await readMigrations()).map(({ name }) => name)
    const [last = ''] = migrations.slice(-1)
    const older = await mkdtemp(join(dir, 'migrations-'))
    for (const name of migrations.filter((name) => name !== last)) {
      const committed = join(import.meta.dirname, `../../migrations/${name}.sql`)
      await copyFile(committed, join(older, `${name}.sql`))
    }
    const { path } = await backupOf('older', async ({ address, query }) => {
      await migrate(address, older)
      await query(`insert into organizations (id, name, plan, created_at, updated_at)
        values ('org_1', 'Old', 'free', now(), now())`)
    })
    const [empty, migrated] = [await fresh(), await fresh()]
    await migrate(migrated.address)
    for (const target of [empty, migrated]) {
      expect(await restore(path, target)).toEqual({ migrated: [last] })
      expect(await target.query('select name from organizations')).toEqual([{ name: 'Old' }])
      expect(await tablesOf(target)).toEqual(Object.keys(before))
    }
  })
})

test('covers everything in the schema', async () => {
  const sql = `select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('r', 'p', 'i', 'I', 'v')`
  expect(await world.database.query(sql)).toEqual([])
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at)
  return copy
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

describe('the backup file', () => {
  test('is readable by its owner only, leaves no temporary files and is never overwritten', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const bytes = await readFile(file)
    await expect(createBackup(file, source())).rejects.toThrow('already exists')
    expect(await readFile(file)).toEqual(bytes)
    expect((await readdir(dir)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('verifies and lists its contents', async () => {
    const verified = await verifyBackup(file, world.services.crypto.cipher)
    if (!verified.valid) throw new Error(verified.damage)
    const { migrations, tables } = verified.header
    expect(migrations).toEqual((await readMigrations()).map(({ name }) => name))
    const counts = Object.entries(before).map(([name, rows]) => ({ name, rows: rows.length }))
    const reported = tables.map(({ name, rows }) => ({ name, rows }))
    expect([...reported, { name: 'migrations', rows: migrations.length }].sort(byName)).toEqual(
      counts,
    )
  })

  test('is reported as damaged at the flipped bit, or earlier', async () => {
    const bytes = await readFile(file)
    const damaged = join(dir, 'flipped.backup')
    const step = Math.floor(bytes.length / 60)
    const places = [0, 19, 20, 21, 24, 25, bytes.length - 1, bytes.length - 40]
    for (let at = 30; at < bytes.length; at += step) places.push(at)
    for (const at of places) {
      await writeFile(damaged, flipped(bytes, at))
      const found = await verifyBackup(damaged, world.services.crypto.cipher)
      if (found.valid) throw new Error(`byte ${at} is not missed`)
      expect(found.byte).toBeLessThanOrEqual(at)
    }
  })

  test('is reported as truncated, or as having trailing bytes', async () => {
    const bytes = await readFile(file)
    const damaged = join(dir, 'cut.backup')
    for (const length of [0, 10, 20, 23, 1_000, bytes.length - 60, bytes.length - 1]) {
      await writeFile(damaged, bytes.subarray(0, length))
      expect(await verifyBackup(damaged, world.services.crypto.cipher)).toMatchObject({
        valid: false,
      })
    }
    await writeFile(damaged, Buffer.concat([bytes, Buffer.from('\n')]))
    expect(await verifyBackup(damaged, world.services.crypto.cipher)).toEqual({
      valid: false,
      byte: bytes.length,
      damage: '1 bytes follow the end of the backup',
    })
  })
})

describe('a restore is refused', () => {
  test('from a damaged file, and the database stays unchanged', async () => {
    const bytes = await readFile(file)
    const target = await fresh()
    const damaged = join(dir, 'damaged.backup')
    for (const at of [Math.floor(bytes.length / 2), bytes.length - 1]) {
      await writeFile(damaged, flipped(bytes, at))
      await expect(restore(damaged, target)).rejects.toThrow(/damaged at byte \d+/)
      expect(await tablesOf(target)).toEqual([])
    }
  })

  test('into a database with data, of Flightdeck or of anything else', async () => {
    const [filled, foreign] = [await fresh(), await fresh()]
    await restore(file, filled)
    await expect(restore(file, filled)).rejects.toThrow(/not empty: \w+ has rows/)
    expect(await contentsOf(filled)).toEqual(before)
    await foreign.query('create table foreign_table (id int)')
    await expect(restore(file, foreign)).rejects.toThrow('not Flightdeck')
  })

  test('under another master key, as is a backup under another one', async () => {
    const cipher = cipherWith(newMasterKey())
    await expect(openRestorable(file, cipher)).rejects.toThrow('FLIGHTDECK_MASTER_KEY')
    const wrong = createBackup(join(dir, 'wrong.backup'), { ...source(), cipher })
    await expect(wrong).rejects.toThrow('master key is not the one')
    expect(await readdir(dir)).not.toContain('wrong.backup')
  })

  test('when a newer version made the schema', async () => {
    const { path } = await backupOf('newer', async ({ address, query }) => {
      await migrate(address)
      await query(`insert into migrations (name) values ('9999_flying')`)
    })
    const opened = openRestorable(path, world.services.crypto.cipher)
    await expect(opened).rejects.toThrow('does not know: migration 9999_flying')
  })
})
