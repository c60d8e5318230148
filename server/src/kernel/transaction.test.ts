import { DatabaseError } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import type { DryRun } from './context.ts'
import { update } from './rows.ts'
import { inTransaction } from './transaction.ts'

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

test('a dry run that is retried keeps nothing of the first attempt', async () => {
  const { ctx } = await world.organization()
  const dryRun: DryRun = { object: undefined, warnings: [] }
  const message = 'another request was faster'
  const lostRace = Object.assign(new DatabaseError(message, 0, 'error'), { code: '40001' })
  let attempts = 0
  await inTransaction({ ...ctx, dryRun }, async () => {
    attempts += 1
    dryRun.object ??= { attempts }
    dryRun.warnings.push({ pointer: null, code: 'attempt', message: String(attempts) })
    if (attempts === 1) throw lostRace
  })
  expect(dryRun).toEqual({
    object: { attempts: 2 },
    warnings: [{ pointer: null, code: 'attempt', message: '2' }],
  })
})
