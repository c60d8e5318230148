import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { allCaps } from '../index.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('limits show plan, window and caps with their use', async () => {
  const { owner, as } = await world.organization({ plan: 'free' })
  const viewer = await as('viewer')
  await owner.get('/organization')
  const limits = (await viewer.get('/limits')).json()
  expect(limits).toMatchObject({
    plan: 'free',
    requests: { limit: 100, remaining: 98, window_seconds: 60 },
    caps: { campaigns: { limit: 10_000, used: 0 }, webhook_endpoints: { limit: 20, used: 0 } },
  })
  const names = Object.keys(limits.caps)
  const expected = [...allCaps().map(({ name }) => name), 'storage']
  expect(names.sort()).toEqual(expected.sort())
  expect(names).toEqual(
    expect.arrayContaining([
      'api_keys',
      'campaigns',
      'clients',
      'members',
      'profiles',
      'proxies',
      'templates',
      'webhook_endpoints',
    ]),
  )
  expect(limits.caps).toMatchObject({
    members: { limit: 1_000, used: 2 },
    api_keys: { limit: 100, used: 0 },
  })
  expect(limits.requests.reset_seconds).toBeGreaterThan(0)
})

test('limits show the storage used, measured at most once a minute', async () => {
  const { owner } = await world.organization()
  const stored = async () => (await owner.get('/limits')).json().storage
  const empty = await stored()
  expect(empty).toMatchObject({
    measured_at: expect.stringMatching(/Z$/),
    by_kind: { profiles: 0 },
  })
  expect(empty.by_kind.audit_logs).toBeGreaterThan(500)
  const metadata = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`k${at}`, randomBytes(200).toString('hex')]),
  )
  await owner.post('/profiles', { name: 'Large', metadata })
  expect(await stored()).toEqual(empty)
  world.clock.advance(60_000)
  const { bytes, by_kind } = await stored()
  expect(by_kind.profiles).toBeGreaterThan(6_000)
  expect(by_kind.profiles).toBeLessThan(15_000)
  expect(by_kind.events).toBeGreaterThan(6_000)
  const kinds: number[] = Object.values(by_kind)
  expect(bytes).toBe(kinds.reduce((sum, each) => sum + each, 0))
})
