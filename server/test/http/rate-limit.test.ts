import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { watch } from '../support/documented.ts'
import { type Client, openWorld, type Reply, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

// The window uses the process's own clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

const many = (client: Client, count: number): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, () => client.get('/organization')))

const passed = (replies: Reply[]) => replies.filter(({ statusCode }) => statusCode === 200).length

const plans = { free: 100, operator: 500, captain: 1000, zion: 1000 } as const

test.each(Object.entries(plans))(
  'plan %s: exactly %i of any number of simultaneous requests pass',
  async (plan, limit) => {
    const { owner } = await world.organization({ plan: plan as keyof typeof plans })
    const replies = await many(owner, limit + 20)
    expect(passed(replies)).toBe(limit)
    const left = replies
      .filter(({ statusCode }) => statusCode === 200)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(left.sort((a, b) => b - a)).toEqual(left.map((_, at) => limit - 1 - at))
    for (const refused of replies.filter(({ statusCode }) => statusCode === 429)) {
      expect(refused.json()).toMatchObject({ code: 'rate_limited', retry: 'transient' })
      const seconds = Number(refused.headers['retry-after'])
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(refused.headers).toMatchObject({
        'ratelimit-policy': `"plan";q=${limit};w=60`,
        ratelimit: `"plan";r=0;t=${refused.headers['x-ratelimit-reset']}`,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'cache-control': 'no-store',
      })
    }
  },
)

test('a refused request does not count, and waiting for Retry-After is sufficient', async () => {
  const { owner } = await world.organization({ plan: 'free' })
  expect(passed(await many(owner, 100))).toBe(100)
  advance(20)
  const [refused] = await many(owner, 30)
  expect(refused?.headers['retry-after']).toBe('40')
  advance(39.5)
  const [late] = await many(owner, 1)
  expect([late?.statusCode, late?.headers['retry-after']]).toEqual([429, '1'])
  advance(0.5)
  expect(passed(await many(owner, 120))).toBe(100)
})

test('the window opens with the first request and lasts 60 seconds', async () => {
  const { owner } = await world.organization({ plan: 'free' })
  advance(30)
  expect((await owner.get('/limits')).headers.ratelimit).toBe('"plan";r=99;t=60')
  advance(30)
  expect((await owner.get('/limits')).headers.ratelimit).toBe('"plan";r=98;t=30')
  advance(30)
  expect((await owner.get('/limits')).headers.ratelimit).toBe('"plan";r=99;t=60')
})

test('all users of an organization share its window; other organizations do not', async () => {
  const organization = await world.organization({ plan: 'free' })
  const viewer = await organization.as('viewer')
  const other = await world.organization({ plan: 'free' })
  expect(passed(await many(viewer, 60))).toBe(60)
  expect(passed(await many(organization.owner, 60))).toBe(40)
  expect(passed(await many(other.owner, 10))).toBe(10)
  const limits = (await other.owner.get('/limits')).json()
  expect(limits.requests).toMatchObject({ limit: 100, remaining: 89, window_seconds: 60 })
})

test('a request beyond the limit changes nothing', async () => {
  const { owner } = await world.organization({ plan: 'free' })
  await many(owner, 100)
  expect((await owner.post('/templates', { name: 'A' })).statusCode).toBe(429)
  expect((await owner.patch('/organization', { name: 'B' })).statusCode).toBe(429)
  advance(60)
  expect((await owner.get('/templates')).json().data).toEqual([])
  expect((await owner.get('/organization')).json().version).toBe(1)
})

test('a request without a valid token counts for no organization', async () => {
  const { owner } = await world.organization({ plan: 'free' })
  await many(world.anonymous, 20)
  await owner.call({ method: 'PUT', url: '/organization' })
  expect((await owner.get('/limits')).headers['x-ratelimit-remaining']).toBe('99')
})
