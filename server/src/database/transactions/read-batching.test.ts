import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/machines/fresh-database.ts'
import { type Database, openDatabase } from '../database.ts'
import type { Query } from '../tables/kysely.ts'
import { batchReadsByKey, combined, type PendingRead } from './read-batching.ts'

let fresh: FreshDatabase
let database: Database
/** The statements that have reached the database. */
let sent: string[] = []
let read: Query

const key = ['shelf', 'word']
const sql = 'select word, length from words where shelf = $1 and word = $2'
const find = (shelf: string, word: string, text = sql) =>
  read<{ word: string; length: number }>({ sql: text, parameters: [shelf, word], byKey: key })

beforeAll(async () => {
  fresh = await freshDatabase()
  await fresh.query(
    'create table words (shelf text, word text, length int, primary key (shelf, word))',
  )
  const words = `'word ' || n, n from generate_series(1, 250) n`
  await fresh.query(`insert into words select 'a', ${words} union all select 'b', ${words}`)
  database = openDatabase(fresh.address)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => {
  sent = []
  read = batchReadsByKey((statement) => {
    sent.push(statement.sql)
    return database.reader.query({ sql: statement.sql, parameters: statement.parameters })
  })
})

test('reads of one tick are sent as one statement, and each gets its own row or none', async () => {
  const found = await Promise.all([
    find('a', 'word 7'),
    find('b', 'word 12'),
    find('a', 'word 999'),
    find('b', 'word 7'),
    find('a', 'word 7'),
  ])
  const rows = found.map((rows) => rows.map(({ word, length }) => [word, length]))
  expect(rows).toEqual([[['word 7', 7]], [['word 12', 12]], [], [['word 7', 7]], [['word 7', 7]]])
  expect(sent.length).toBe(1)
})

test('a single read is sent unchanged', async () => {
  expect(await find('a', 'word 3')).toEqual([{ word: 'word 3', length: 3 }])
  expect(await find('a', 'word 4')).toEqual([{ word: 'word 4', length: 4 }])
  expect(sent).toEqual([sql, sql])
})

test('different texts are sent separately, and so are more than a hundred', async () => {
  const numbers = Array.from({ length: 250 }, (_, at) => at + 1)
  const upper = 'select upper(word) as word, 0 as length from words where shelf = $1 and word = $2'
  const [found, other] = await Promise.all([
    Promise.all(numbers.map((n) => find('b', `word ${n}`))),
    Promise.all([find('a', 'word 1', upper), find('a', 'word 2', upper)]),
  ])
  expect(found.flat().map(({ length }) => length)).toEqual(numbers)
  expect(other.flat().map(({ word }) => word)).toEqual(['WORD 1', 'WORD 2'])
  expect(sent.length).toBe(4)
})

test('quotes, braces and backslashes in keys are plain text', async () => {
  const odd = ['"', '\\', '{}', ',', "'", 'null', '']
  for (const word of odd) {
    await fresh.query(`insert into words values ('odd', '${word.replace("'", "''")}', 1)`)
  }
  const found = await Promise.all(odd.map((word) => find('odd', word)))
  expect(found.map((rows) => rows.map(({ word }) => word))).toEqual(odd.map((word) => [word]))
})

test('an error of the database rejects every read of the batch', async () => {
  const wrong =
    'select word, 1 / (length - length) as length from words where shelf = $1 and word = $2'
  const reads = [find('a', 'word 1', wrong), find('a', 'word 2', wrong)]
  const outcomes = await Promise.allSettled(reads)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test.each([
  ['of one tenant', ['a']],
  ['of several', ['a', 'b']],
])('the generic plan is kept, even for small batches %s', async (name, shelves) => {
  // Expensive enough that a custom plan would seem cheaper than it is.
  const joined = `select '${name}' as word, a.length + b.length + c.length as length from words w
    join words a on a.shelf = w.shelf and a.word = w.word
    join words b on b.shelf = w.shelf and b.word = a.word
    join words c on c.shelf = w.shelf and c.word = b.word
    where w.shelf = $1 and w.word = $2`
  const ask = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        find(shelves[at % shelves.length] ?? '', `word ${at + 1}`, joined),
      ),
    )
  // Two connections, each of which first tries five custom plans.
  for (let round = 0; round < 40; round += 1) await ask(2 + (round % 5))
  const plans = await database.reader.query<{ generic: number; custom: number }>({
    sql: `select generic_plans::int as generic, custom_plans::int as custom
      from pg_prepared_statements where statement like '%${name}%reads.p2%'
        and statement not like '%pg_prepared%'`,
    parameters: [],
  })
  expect(plans.length).toBeGreaterThan(0)
  for (const { generic, custom } of plans) {
    expect(custom).toBeLessThanOrEqual(5)
    expect(generic).toBeGreaterThan(5)
  }
})

/** As a transaction answers them: those that stay single, and those that are one statement. */
async function answersOf(reads: readonly (readonly [string, string])[]) {
  const answers: Promise<unknown[]>[] = []
  const pending = reads.map(([shelf, word]): PendingRead => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    answers.push(promise)
    return { statement: { sql, parameters: [shelf, word], byKey: key }, resolve, reject }
  })
  const { singly, together } = combined(pending)
  for (const { statement, resolve, reject } of [...singly, ...together]) {
    await database.reader
      .query({ sql: statement.sql, parameters: statement.parameters })
      .then(resolve, reject)
  }
  return { singly, together, answers: await Promise.all(answers) }
}

test('many reads of a transaction are one statement a hundred, and answered one by one', async () => {
  const numbers = Array.from({ length: 250 }, (_, at) => at + 1)
  const { singly, together, answers } = await answersOf([
    ...numbers.map((n) => ['b', `word ${n}`] as const),
    ['a', 'word 999'],
    ['b', 'word 7'],
  ])
  expect([singly.length, together.length]).toEqual([0, 3])
  const rows = numbers.map((n) => [{ word: `word ${n}`, length: n }])
  expect(answers).toEqual([...rows, [], [{ word: 'word 7', length: 7 }]])
})

test('few reads of a transaction stay as they are', async () => {
  const { singly, together, answers } = await answersOf(
    Array.from({ length: 9 }, () => ['a', 'word 3'] as const),
  )
  expect([singly.length, together.length, answers.length]).toEqual([9, 0, 9])
})

test('a fault of many reads is the fault of each', async () => {
  const statement = { sql: 'select nothing from words', parameters: [], byKey: key }
  const faults: unknown[] = []
  const reject = (error: unknown) => void faults.push(error)
  const { together } = combined(
    Array.from({ length: 10 }, () => ({ statement, resolve: () => {}, reject })),
  )
  for (const read of together) read.reject('a fault')
  expect(faults).toEqual(Array(10).fill('a fault'))
})
