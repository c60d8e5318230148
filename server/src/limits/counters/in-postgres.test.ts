import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { type Counter, counterIn } from './counter.ts'
import { countsInPostgres } from './in-postgres.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const seconds = 30 * 24 * 60 * 60

const counter = (): Counter => {
  const store = countsInPostgres(world.services.database.counterQuery)
  return counterIn(store, { name: `months ${randomUUID()}`, seconds })
}

test('a window may be longer than the milliseconds of an integer', async () => {
  const months = counter()
  const { used, msLeft } = await months.take('account')
  expect(used).toBe(1)
  expect(msLeft).toBeGreaterThan((seconds - 60) * 1000)
  expect(await months.look('account')).toMatchObject({ used: 1 })
})

test('gives back no more than was counted, and forgets a window whole', async () => {
  const months = counter()
  await months.take('account', { cost: 3 })
  expect(await months.giveBack('account', 9)).toMatchObject({ used: 0 })
  await months.take('account')
  await months.forget('account')
  expect(await months.look('account')).toEqual({ used: 0, msLeft: seconds * 1000 })
  expect(await months.giveBack('account')).toEqual({ used: 0, msLeft: seconds * 1000 })
})
