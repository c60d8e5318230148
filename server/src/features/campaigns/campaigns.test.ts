import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('an unknown profile is an invalid reference', async () => {
  const { owner } = await world.organization()
  const body = {
    name: 'A',
    objective: 'sales',
    profile_id: 'prf_x',
    daily_budget: 5,
    currency: 'USD',
  }
  const reply = await owner.post('/campaigns', body)
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors).toMatchObject([{ pointer: '/profile_id', code: 'invalid_reference' }])
})
