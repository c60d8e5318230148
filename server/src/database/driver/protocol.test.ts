import { setImmediate as untilEndOfTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/machines/fresh-database.ts'
import { type Database, openDatabase } from '../database.ts'
import { PrimaryClient } from './connection.ts'
import { runBatch, runOne } from './protocol.ts'

let fresh: FreshDatabase
let database: Database
let client: PrimaryClient

beforeAll(async () => {
  fresh = await freshDatabase()
  await fresh.query('create table marks (at serial primary key, mark text)')
  database = openDatabase(fresh.address)
  client = new PrimaryClient({ ...fresh.address, pipeline: true } as never)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
  await fresh.drop()
})

const numbered = (n: number) => ({ sql: `select ${n} as n`, parameters: [] })
const preparedThere = async () => {
  const sql = 'select count(*)::int as count from pg_prepared_statements'
  return (await runOne<{ count: number }>(client, { sql, parameters: [] }))[0]?.count
}

test('a batch may use the oldest known statement and a new one', async () => {
  for (let n = 0; n < 500; n += 1) await runOne(client, numbered(n))
  for (let n = 0; n < 20; n += 1) {
    const both = [numbered(n), numbered(1_000 + n)]
    expect(await runBatch(client, both)).toEqual([[{ n }], [{ n: 1_000 + n }]])
  }
})

test('what is gathered over a turn of the event loop leaves at its end', async () => {
  const { stream } = client.connection
  await untilEndOfTurn()
  const rows = Promise.all([runOne(client, numbered(1)), runOne(client, numbered(2))])
  expect(stream.writableCorked).toBe(1)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  expect(stream.writableCorked).toBe(0)
  expect(await rows).toEqual([[{ n: 1 }], [{ n: 2 }]])
})

test('the server keeps no more statements than are known', async () => {
  for (let n = 2_000; n < 2_600; n += 1) await runOne(client, numbered(n))
  expect(await preparedThere()).toBeLessThanOrEqual(501)
})

test('a statement in use stays prepared', async () => {
  const kept = { sql: 'select 1 as kept', parameters: [] }
  for (let n = 3_000; n < 3_600; n += 1) await runBatch(client, [kept, numbered(n)])
  const sql = `select count(*)::int as count from pg_prepared_statements where statement = '${kept.sql}'`
  expect(await runOne(client, { sql, parameters: [] })).toEqual([{ count: 1 }])
})

test('commits are ordered by the keys of their transactions', async () => {
  const keys = ['c', 'a', 'd', 'b']
  const begun = new Set<string>()
  const allHaveBegun = Promise.withResolvers<void>()
  const mark = (key: string) =>
    database.sharedTransaction(key, async (tx) => {
      tx.send({ sql: 'insert into marks (mark) values ($1)', parameters: [key] })
      if (begun.add(key).size === keys.length) allHaveBegun.resolve()
      await allHaveBegun.promise
    })
  await Promise.all(keys.map(mark))
  const sql = `select mark, count(*) over (partition by xmin::text)::int as together from marks
    order by at`
  const rows = await database.reader.query({ sql, parameters: [] })
  expect(rows).toEqual(['a', 'b', 'c', 'd'].map((mark) => ({ mark, together: 4 })))
})

const pid = { sql: 'select pg_backend_pid() as pid', parameters: [] }
const counting = async () => (await database.counterQuery<{ pid: number }>(pid))[0]?.pid

test('work continues when the server closes an idle connection', async () => {
  await database.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>(pid)
    await fresh.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'flightdeck' and pid <> ${own?.pid}`)
    await expect.poll(() => counting().catch(() => undefined)).toBeDefined()
    expect(await tx.query(pid)).toEqual([own])
  })
})

test('work started before all connections were renewed gets an exclusive one', async () => {
  await database.transaction(async (tx) => {
    await tx.query({ sql: 'select 1', parameters: [] })
    const before = await counting()
    // The server no longer accepts writes, as it could be with every connection.
    const refusal = "do $$ begin raise exception using errcode = '25006'; end $$"
    await expect(database.counterQuery({ sql: refusal, parameters: [] })).rejects.toThrow()
    await expect
      .poll(() =>
        counting().then(
          (now) => now !== before,
          () => false,
        ),
      )
      .toBe(true)
    tx.send({ sql: "insert into marks (mark) values ('after')", parameters: [] })
    const sql = "select mark from marks where mark = 'after'"
    expect(await tx.query({ sql, parameters: [] })).toEqual([{ mark: 'after' }])
  })
})

test('rows that an index returns in order are not sorted, whatever the planner estimates', async () => {
  await fresh.query(`create table few (at integer primary key)`)
  await fresh.query(`insert into few values (1), (2), (3)`)
  await fresh.query(`analyze few`)
  const sql = 'explain select at from few order by at limit $1'
  const planOf = async (statement: object) => {
    const rows = await runOne(client, { sql, parameters: ['5'], ...statement })
    return JSON.stringify(rows)
  }
  expect(await planOf({})).toContain('Sort  (')
  expect(await planOf({ byIndex: true })).not.toContain('Sort  (')
  // The setting applied to that statement only.
  expect(await runOne(client, { sql: 'show enable_sort', parameters: [] })).toEqual([
    { enable_sort: 'on' },
  ])
})

test('an array keeps its texts, and its nulls apart from the text null', async () => {
  const given = ['a"b\\c', 'null', null, '{NULL}', '']
  const sql = 'select t, t is null as "isNull" from unnest($1::text[]) with ordinality as n (t, at)'
  const rows = await runOne(client, { sql, parameters: [given] })
  expect(rows).toEqual(given.map((t) => ({ t, isNull: t === null })))
})

test.each([
  [[]],
  [['spring', 'emea']],
  [['a, b', 'plain', '']],
  [['NULL', null, 'Now']],
  [['a"b\\c', '{}', ' ']],
])('an array of texts is read as it was given: %j', async (given) => {
  const rows = await runOne(client, { sql: 'select $1::text[] as texts', parameters: [given] })
  expect(rows).toEqual([{ texts: given }])
})
