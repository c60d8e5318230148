import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a write that the role refuses is recorded with its reason', async () => {
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

test('the record names the object of the path, where there is one', async () => {
  const { owner, as } = await world.organization()
  const viewer = await as('viewer')
  const profile_id = (await owner.post('/profiles', { name: 'Acme' })).json().id
  const fields = { name: 'A', objective: 'sales', daily_budget: 5, currency: 'USD', profile_id }
  const { id } = (await owner.post('/campaigns', fields)).json()
  await viewer.put(`/campaigns/${id}`, { name: 'B' })
  await viewer.post(`/campaigns/${id}/launch`)
  await viewer.delete(`/profiles/${profile_id}`)
  await viewer.post(`/campaigns/${id}/save_as_template`, { name: 'T' })
  await viewer.post(`/campaigns/${id}/duplicate`)
  const { data } = (await owner.get('/audit_logs?outcome=denied&sort=sequence')).json()
  expect(data.map(({ resource }: { resource: object }) => resource)).toEqual([
    { type: 'campaign', id, name: null },
    { type: 'campaign', id, name: null },
    { type: 'profile', id: profile_id, name: null },
    { type: 'template', id: null, name: null },
    { type: 'campaign', id: null, name: null },
  ])
})
