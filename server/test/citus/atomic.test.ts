import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../src/database/database.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const named = (name: string | null, id: string) => ({
  sql: 'update organizations set name = $1 where id = $2',
  parameters: [name, id],
})

const kinds = {
  alone: (work: (tx: Transaction) => Promise<void>) => world.services.database.transaction(work),
  'with others': (work: (tx: Transaction) => Promise<void>) =>
    world.services.database.sharedTransaction('key', work),
}

test.each(Object.entries(kinds))('a refused commit leaves nothing: %s', async (_, commit) => {
  const { id, owner } = await world.organization({ name: 'Whole' })
  const refused = commit(async (tx) => {
    tx.send(named('Half', id))
    tx.send(named(null, id))
  })
  await expect(refused).rejects.toThrow('null value')
  expect((await owner.get('/organization')).json().name).toBe('Whole')
  expect((await owner.patch('/organization', { name: 'Changed' })).statusCode).toBe(200)
  expect((await owner.get('/organization')).json().name).toBe('Changed')
})
