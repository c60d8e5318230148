import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/machines/fresh-database.ts'
import { type Database, openDatabase } from '../database.ts'
import type { Query } from '../tables/kysely.ts'
import { readsOnCitus } from './reads-on-citus.ts'

// Its statements are those of any PostgreSQL; server/test/citus asks a cluster by them.
let fresh: FreshDatabase
let database: Database
let sent: string[] = []
let read: Query

const byKey = ['shelf', 'word']
const sql = 'select shelf, word, length from words where shelf = $1 and word = $2'
const find = async (shelf: string, word: string, text = sql) => {
  const rows = await read<{ length: number }>({ sql: text, parameters: [shelf, word], byKey })
  return rows.map(({ length }) => length)
}

beforeAll(async () => {
  fresh = await freshDatabase()
  await fresh.query(
    'create table words (shelf text, word text, length int, primary key (shelf, word))',
  )
  await fresh.query(`insert into words select 'a', 'word ' || n, n from generate_series(1, 60) n
    union all select 'b', 'word ' || n, 100 + n from generate_series(1, 60) n`)
  database = openDatabase(fresh.address)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => {
  sent = []
  read = readsOnCitus((statement) => {
    sent.push(statement.sql)
    return database.reader.query({ sql: statement.sql, parameters: statement.parameters })
  })
})

test('reads of several tenants are one statement, and each gets its own row or none', async () => {
  const found = await Promise.all([
    find('a', 'word 1'),
    find('b', 'word 2'),
    find('a', 'word 99'),
    find('b', 'word 2'),
    find('c', 'word 1'),
  ])
  expect(found).toEqual([[1], [102], [], [102], []])
  expect(sent).toEqual([
    'select shelf, word, length from words where shelf = any($1) and word = any($2)',
  ])
})

test('a single read is sent as it is', async () => {
  expect(await find('b', 'word 3')).toEqual([103])
  expect(sent).toEqual([sql])
})

test('more than 25 are several statements', async () => {
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1)
  const found = await Promise.all(numbers.map((n) => find('a', `word ${n}`)))
  expect(found).toEqual(numbers.map((n) => [n]))
  expect(sent.length).toBe(3)
})

test('a fault of one is not a fault of others, which then go alone', async () => {
  const faulty = `select shelf, word, 100 / (length - 7) as length from words
    where shelf = $1 and word = $2`
  const outcomes = await Promise.allSettled([
    find('a', 'word 8', faulty),
    find('a', 'word 7', faulty),
    find('b', 'word 7', faulty),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  sent = []
  await Promise.all([find('a', 'word 1'), find('b', 'word 1')])
  expect(sent).toEqual([sql, sql])
})

test('reads that hang hold up others for a moment only', async () => {
  const hung = Promise.withResolvers<never[]>()
  let asked = 0
  read = readsOnCitus(async (statement) => {
    asked += 1
    return asked === 1 ? await hung.promise : await database.reader.query(statement)
  })
  const first = find('a', 'word 1')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(await Promise.all([find('a', 'word 2'), find('b', 'word 2')])).toEqual([[2], [102]])
  hung.resolve([])
  expect(await first).toEqual([])
})
