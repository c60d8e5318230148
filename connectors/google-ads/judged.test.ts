import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { connect, deployed } from './test/connected.ts'
import { customerId } from './test/credential.ts'

let world: World
let address: string

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

test('a change set on a deployed campaign is judged by one validate_only, and writes nothing', async () => {
  const all = await connect(world, address)
  const id = await deployed(all, { daily_budget: 40 })
  await all.round()
  all.fake.control.account(customerId).perDayMinimumMicros = '30000000'
  const operations = [
    { op: 'update', resource: 'campaign', id, body: { daily_budget: 20 } },
    { op: 'action', resource: 'campaign', id, action: 'pause' },
  ]
  const set = (await all.owner.post('/change_sets', { title: 'Less', operations })).json().id
  const before = [all.fake.counts.get('mutate'), all.fake.counts.get('validate') ?? 0]
  await all.round()
  const { data } = (await all.owner.get(`/change_sets/${set}/operations`)).json()
  expect(data).toMatchObject([
    { network_check: null },
    {
      network_check: {
        outcome: 'refused',
        error: {
          code: 'invalid',
          errors: [{ pointer: '/daily_budget', message: expect.stringContaining('30000000') }],
        },
      },
    },
  ])
  const [mutate, validate] = before
  expect([all.fake.counts.get('mutate'), all.fake.counts.get('validate')]).toEqual([
    mutate,
    Number(validate) + 1,
  ])
  await all.close()
})
