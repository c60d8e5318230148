import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FreshDatabase,
  migratedDatabase,
} from '../../../test/support/machines/fresh-database.ts'
import { expendableTables } from './expendable.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

test('the tables that are not logged are those that may be empty after a crash', async () => {
  const found = await database.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relkind in ('r', 'p') and relpersistence = 'u' order by relname collate "C"`,
  )
  expect(found.map(({ name }) => name)).toEqual(expendableTables)
})
