import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a write that the role refuses is recorded with the reason that was given', async () => {
  const { owner, as } = await world.organization()
  const viewer = await as('viewer')
  const headers = { 'x-audit-reason': 'by mistake' }
  expect((await viewer.post('/campaigns', {}, headers)).statusCode).toBe(403)
  const { data } = (await owner.get('/audit_logs?outcome=denied')).json()
  expect(data).toMatchObject([
    {
      action: 'campaign.created',
      outcome: 'denied',
      reason: 'by mistake',
      request: { status: 403 },
    },
  ])
})
