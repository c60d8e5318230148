import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackup } from '../../src/backup/create.ts'
import { type FileKey, fileKeyOf } from '../../src/backup/file-key.ts'
import { digestAfter, magic } from '../../src/backup/format.ts'
import { newFile } from '../../src/backup/new-file.ts'
import { openRestorable, restoreBackup } from '../../src/backup/restore.ts'
import { sumRows } from '../../src/backup/sum-rows.ts'
import { verifyBackup } from '../../src/backup/verify.ts'
import { cipherWith, newMasterKey } from '../../src/crypto/cipher.ts'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../support/machines/fresh-database.ts'

// Written by an attacker who has the file but not the master key.
const cipher = cipherWith(newMasterKey())
const key = fileKeyOf(cipher)
const strangersKey = fileKeyOf(cipherWith(newMasterKey()))

let dir: string
let source: FreshDatabase
let target: FreshDatabase
let file: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-forged-'))
  source = await freshDatabase()
  target = await freshDatabase()
  await migrate(source.address)
  const proof = cipher.seal('Flightdeck', 'master_key_proof')
  await source.query('insert into master_keys values (1, $1, null, now())', [proof])
  await source.query(`insert into organizations (id, name, plan, created_at, updated_at)
    values ('org_1', 'Honest', 'free', now(), now())`)
  file = join(dir, 'honest.backup')
  await createBackup(file, { address: source.address, cipher })
})
afterAll(async () => {
  await source.drop()
  await target.drop()
  await rm(dir, { recursive: true, force: true })
})

type Block = { kind: string; payload: Buffer; digest: Buffer }

const begin = magic.length + 32

async function blocksOf(path: string): Promise<Block[]> {
  const bytes = await readFile(path)
  const blocks: Block[] = []
  for (let at = begin; at < bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1)
    const [kind, payload] = [bytes.toString('latin1', at, at + 1), bytes.subarray(at + 5, end)]
    blocks.push({ kind, payload, digest: bytes.subarray(end, end + 32) })
    at = end + 32
  }
  return blocks
}

type Digest = (...parts: Buffer[]) => Buffer

const keyless: Digest = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const under =
  (other: FileKey): Digest =>
  (...parts) =>
    digestAfter(other, ...parts)

/** The file with these blocks; the first `intact` blocks keep their digests. */
async function forge(blocks: Block[], digest: Digest, intact = 0): Promise<string> {
  const start = (await readFile(file)).subarray(0, begin)
  const parts: Buffer[] = [start]
  let previous = digest(start)
  for (const [at, { kind, payload, digest: had }] of blocks.entries()) {
    const head = Buffer.alloc(5)
    head.write(kind, 'latin1')
    head.writeUInt32BE(payload.length, 1)
    previous = at < intact ? had : digest(previous, head, payload)
    parts.push(head, payload, previous)
  }
  const path = join(dir, 'forged.backup')
  await writeFile(path, Buffer.concat(parts))
  return path
}

async function restore(path: string): Promise<void> {
  await using opened = await openRestorable(path, cipher)
  await restoreBackup(opened, target.address)
}

const tablesOfTarget = () =>
  target.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)

const evil = `FOR VALUES FROM ('a') TO ('b'); create table pwned (id int); --`

const headerOf = (blocks: Block[]) => JSON.parse(String(blocks[0]?.payload))

test.each([
  ['without a key', keyless],
  ['under another key', under(strangersKey)],
])('a header that was forged %s is refused before any of it is used', async (_, digest) => {
  const [first, ...rest] = await blocksOf(file)
  if (!first) throw new Error('no header')
  const header = headerOf([first])
  const partitions = header.partitions.map((each: object) => ({ ...each, bound: evil }))
  const payload = Buffer.from(JSON.stringify({ ...header, partitions }))
  const path = await forge([{ ...first, payload }, ...rest], digest)
  expect(await verifyBackup(path, cipher)).toMatchObject({ valid: false, byte: begin })
  await expect(restore(path)).rejects.toThrow(`damaged at byte ${begin}`)
  expect(await tablesOfTarget()).toEqual([])
})

test('forged rows are detected, and nothing of the backup is restored', async () => {
  const blocks = await blocksOf(file)
  const isRows = ({ kind, payload }: Block) =>
    kind === 'R' && zstdDecompressSync(payload).includes('Honest')
  const at = blocks.findIndex(isRows)
  const [rows, table] = blocks.slice(at, at + 2)
  if (!rows || !table) throw new Error('no rows')
  const forged = Buffer.from(String(zstdDecompressSync(rows.payload)).replace('Honest', 'Forged'))
  const sum = sumRows()
  sum.add(forged)
  rows.payload = zstdCompressSync(forged)
  table.payload = Buffer.from(
    JSON.stringify({ ...JSON.parse(String(table.payload)), ...sum.result() }),
  )
  const path = await forge(blocks, keyless, at)
  expect(await verifyBackup(path, cipher)).toMatchObject({ valid: false })
  await expect(restore(path)).rejects.toThrow('does not match its digest')
  expect(await tablesOfTarget()).toEqual([])
})

test('blocks of another backup under the same key are refused', async () => {
  await source.query(`update organizations set name = 'Later'`)
  const later = join(dir, 'later.backup')
  await createBackup(later, { address: source.address, cipher })
  const [blocks, others] = [await blocksOf(file), await blocksOf(later)]
  const all = blocks.map((block, at) => (block.kind === 'R' ? (others[at] ?? block) : block))
  const path = await forge(all, keyless, all.length)
  expect(await verifyBackup(path, cipher)).toMatchObject({ valid: false })
})

const [name, sql] = ['events_20200101', 'a"; drop table organizations; --']
const whole = { name, parent: 'events', bound: `FOR VALUES FROM ('a') TO ('b')`, key: null }

test.each<[string, object]>([
  ['a bound', { partitions: [{ ...whole, bound: evil }] }],
  ['the name of a partition', { partitions: [{ ...whole, name: sql }] }],
  ['the name of its table', { partitions: [{ ...whole, parent: sql }] }],
  ['a partition key', { partitions: [{ ...whole, key: `RANGE (id); ${sql}` }] }],
  ['the name of a table', { tables: [{ name: sql, columns: ['id'], rows: 0 }] }],
  ['a column', { tables: [{ name: 'events', columns: [sql], rows: 0 }] }],
  ['a migration', { migrations: ['../0001_organizations'] }],
  ['a member that no header has', { sql }],
])('even under the right key, %s outside its pattern is refused', async (_, changed) => {
  const path = join(dir, `${crypto.randomUUID()}.backup`)
  {
    await using written = await newFile(path, key)
    const header = { ...headerOf(await blocksOf(file)), ...changed }
    await written.block('header', Buffer.from(JSON.stringify(header)))
    await written.keep()
  }
  await expect(restore(path)).rejects.toThrow('an invalid name or bound')
  expect(await tablesOfTarget()).toEqual([])
})

test('a file of the first format is refused with a clear message', async () => {
  const path = join(dir, 'first.backup')
  await writeFile(path, `flightdeck backup 1\n${'x'.repeat(100)}`)
  await expect(restore(path)).rejects.toThrow(
    `${path} has format 1, which this version does not read. Its digests need no key`,
  )
})

test('an unforged file is restored', async () => {
  await restore(file)
  expect(await target.query('select name from organizations')).toEqual([{ name: 'Honest' }])
})
