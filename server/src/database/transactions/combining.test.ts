import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/machines/fresh-database.ts'
import { type Database, openDatabase } from '../database.ts'
import type { Insert } from '../driver/insert.ts'
import type { Statement } from '../driver/protocol.ts'
import { insertOf } from '../tables/statements.ts'
import { combine } from './combining.ts'

describe('Statements of transactions that commit as one', () => {
  const kinds: readonly (Insert | string)[] = [
    { table: 'words', columns: ['word'] },
    { table: 'numbers', columns: ['word'] },
    'update words',
    'update numbers',
  ]
  const statementOf = (kind: Insert | string, values: readonly string[]): Statement =>
    typeof kind === 'string'
      ? { sql: kind, parameters: values.slice(0, 1) }
      : insertOf(kind, values, values.length)
  const steps = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), rows: fc.integer({ min: 1, max: 20 }) }),
  )
  const transactions = fc.array(steps).map((all) =>
    all.map((own, transaction) =>
      own.map(({ kind, rows }, step) =>
        statementOf(
          kind,
          Array.from({ length: rows }, (_, row) => `${transaction} ${step} ${row}`),
        ),
      ),
    ),
  )
  const writes = (statements: readonly Statement[]) =>
    statements.flatMap(({ sql, insert, parameters }) =>
      parameters.map((value) => ({ to: insert?.table ?? sql, value: String(value) })),
    )

  test('write all of each in its order', () => {
    fc.assert(
      fc.property(transactions, (all) => {
        const combined = writes(combine(all))
        expect(combined).toHaveLength(writes(all.flat()).length)
        for (const [at, own] of all.entries()) {
          expect(combined.filter(({ value }) => value.startsWith(`${at} `))).toEqual(writes(own))
        }
      }),
    )
  })

  test('are few where they insert the same', () => {
    const each = (at: number) => kinds.map((kind) => statementOf(kind, [String(at)]))
    const combined = combine(Array.from({ length: 16 }, (_, at) => each(at)))
    expect(combined.filter(({ insert }) => insert)).toHaveLength(2)
    expect(combined.filter(({ insert }) => !insert)).toHaveLength(32)
  })
})

describe('Transactions of many that are ready at once', () => {
  let fresh: FreshDatabase
  let database: Database
  const words: Insert = { table: 'words', columns: ['word'] }

  beforeAll(async () => {
    fresh = await freshDatabase()
    await fresh.query('create table words (word text primary key)')
    database = openDatabase(fresh.address)
  })
  afterAll(async () => {
    await database.close()
    await fresh.drop()
  })
  beforeEach(() => fresh.query('delete from words'))

  const storeAll = (all: readonly string[]) =>
    Promise.allSettled(
      all.map((word, at) =>
        database.sharedTransaction(String(at), async (tx) => tx.send(insertOf(words, [word]))),
      ),
    )
  const stored = async () => {
    const sql = 'select word from words'
    const rows = await database.reader.query<{ word: string }>({ sql, parameters: [] })
    return rows.map(({ word }) => word).sort()
  }

  test('are stored, each with its rows', async () => {
    const all = Array.from({ length: 100 }, (_, at) => `word ${at}`)
    await storeAll(all)
    expect(await stored()).toEqual([...all].sort())
  })

  test('are refused alone', async () => {
    const all = Array.from({ length: 40 }, (_, at) => `word ${at === 30 ? 20 : at}`)
    const endings = await storeAll(all)
    expect(endings.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await stored()).toEqual([...new Set(all)].sort())
  })

  test('are answered alone where the database refuses what one reads', async () => {
    const divisors = Array.from({ length: 20 }, (_, at) => (at === 7 ? 0 : at + 1))
    const endings = await Promise.allSettled(
      divisors.map((divisor, at) =>
        database.sharedTransaction(String(at), async ({ query }) => {
          const sql = 'select 60 / $1::int as quotient'
          const [row] = await query<{ quotient: number }>({ sql, parameters: [divisor] })
          return row?.quotient
        }),
      ),
    )
    const quotients = endings.map((ending) => ('value' in ending ? ending.value : ending.status))
    const expected = divisors.map((divisor) =>
      divisor === 0 ? 'rejected' : Math.floor(60 / divisor),
    )
    expect(quotients).toEqual(expected)
  })
})
