import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('PostgreSQL compiles no plans, which would take longer than what they do', async () => {
  const statement = { sql: `select current_setting('jit') as jit`, parameters: [] }
  expect(await world.services.database.reader.query(statement)).toEqual([{ jit: 'off' }])
})
