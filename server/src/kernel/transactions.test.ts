import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { update } from './rows.ts'
import { inTransaction } from './transactions.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a transaction that writes without an audit record is refused, and keeps nothing', async () => {
  const { ctx, owner } = await world.organization()
  const silently = inTransaction(ctx, async (ctx) =>
    update(ctx, 'users', { id: owner.userId, name: 'Mallory' }),
  )
  await expect(silently).rejects.toThrow('a write without an audit record')
  expect((await owner.get('/auth/me')).json().user.name).toBe('Olga Owner')
})
