import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeRateLimits } from '../../src/limits/counters/purge.ts'
import { lineTo } from '../support/machines/flaky-connection.ts'
import { isRedisInstalled, type OwnRedis, ownRedis } from '../support/machines/redis.ts'
import { openReplicas, type Replicas, sharedDatabase } from '../support/machines/replicas.ts'
import { type Client, openWorld, type Reply } from '../support/world.ts'

let replicas: Replicas

/** This many requests, alternating between both, all at once. */
function many(client: Client, count: number): Promise<Reply[]> {
  const both = replicas.both(client)
  const send = (_: unknown, at: number) => both[at % 2 === 0 ? 0 : 1].get('/organization')
  return Promise.all(Array.from({ length: count }, send))
}

const passed = (replies: Reply[]) => replies.filter(({ statusCode }) => statusCode === 200)
const remaining = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])
const bulkOf = (count: number) => ({
  mode: 'partial',
  operations: Array.from({ length: count }, () => ({ op: 'delete', id: 'none' })),
})

const throttleOf = (at: number) => replicas.worlds[at % 2 === 0 ? 0 : 1].services.identity.throttle

const isKnown = async () => false

/** A store whose counts can be lost, as if it had been restarted. */
type Store = { lose(): Promise<void>; endWaits(): Promise<void>; text(): Promise<string> }

/** Tests for every store that two replicas share. */
function sharedCount(store: Store): void {
  /** Ends all windows. */
  async function end(): Promise<void> {
    await store.lose()
    replicas.advance(60)
  }

  test('exactly the limit passes, however many simultaneous requests two replicas get', async () => {
    const { owner } = await replicas.organization({ plan: 'operator' })
    const replies = await many(owner, 540)
    expect(passed(replies)).toHaveLength(500)
    const left = passed(replies).map(remaining)
    expect(left.sort((a, b) => b - a)).toEqual(left.map((_, at) => 499 - at))
    const refused = replies.filter(({ statusCode }) => statusCode === 429)
    for (const { headers } of refused) {
      expect(remaining({ headers } as Reply)).toBe(0)
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  test('a refused request does not count, and a new window opens after the old one', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    const [here, there] = replicas.both(owner)
    expect(passed(await many(owner, 130))).toHaveLength(100)
    expect((await there.get('/limits')).statusCode).toBe(429)
    await end()
    const first = await here.get('/limits')
    expect(first.headers.ratelimit).toBe('"plan";r=99;t=60')
    expect((await there.get('/limits')).json().requests).toMatchObject({
      limit: 100,
      remaining: 98,
    })
    expect(passed(await many(owner, 130))).toHaveLength(98)
  })

  test('refused expensive requests do not block cheap ones', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    await many(owner, 90)
    const both = replicas.both(owner)
    // Each is one request, and then nine more that never fit in addition.
    const dear = (at: number) => both[at === 0 ? 0 : 1].post('/campaigns/bulk', bulkOf(100))
    const [first, second, ...cheap] = await Promise.all([dear(0), dear(1), ...cheapOnes(both, 8)])
    expect([first.statusCode, second.statusCode]).toEqual([429, 429])
    expect(cheap.map(({ statusCode }) => statusCode)).toEqual(cheap.map(() => 200))
    expect(remaining(await both[1].get('/limits'))).toBe(1)
  })

  test('a changed plan applies to the open window', async () => {
    const organization = await replicas.organization({ plan: 'operator' })
    await many(organization.owner, 150)
    const [, there] = replicas.both(organization.owner)
    const sql = `update organizations set plan = 'free' where id = $1`
    await replicas.database.query(sql, [organization.id])
    replicas.worlds[1].services.identity.sessions.forget(organization.id)
    expect((await there.get('/limits')).statusCode).toBe(429)
  })

  test('an exhausted window refuses without a query, and is checked once a second', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    expect(passed(await many(owner, 130))).toHaveLength(100)
    const first = await many(owner, 2)
    await store.lose()
    replicas.advance(0.9)
    const replies = await many(owner, 40)
    expect(passed(replies)).toHaveLength(0)
    for (const [at, { headers }] of replies.entries()) {
      const seconds = Number(headers['retry-after'])
      const before = Number(first[at % 2]?.headers['retry-after'])
      expect([before - 1, before]).toContain(seconds)
      expect(headers).toMatchObject({
        ratelimit: `"plan";r=0;t=${seconds}`,
        'x-ratelimit-reset': String(seconds),
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '0',
      })
    }
    replicas.advance(0.1)
    expect(passed(await many(owner, 130))).toHaveLength(100)
  })

  test('a larger plan reopens an exhausted window', async () => {
    const organization = await replicas.organization({ plan: 'free' })
    expect(passed(await many(organization.owner, 130))).toHaveLength(100)
    const sql = `update organizations set plan = 'operator' where id = $1`
    await replicas.database.query(sql, [organization.id])
    for (const { services } of replicas.worlds) services.identity.sessions.forget(organization.id)
    const replies = await many(organization.owner, 420)
    expect(passed(replies)).toHaveLength(400)
    expect(replies[0]?.headers['x-ratelimit-limit']).toBe('500')
  })

  test('returned requests are available at once, even in an exhausted window', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    await many(owner, 99)
    const [here] = replicas.both(owner)
    expect((await here.post('/campaigns/bulk', bulkOf(100))).statusCode).toBe(429)
    expect((await here.get('/limits')).statusCode).toBe(200)
    expect((await here.get('/limits')).statusCode).toBe(429)
  })

  test('failed logins make an account wait on both, and its name is not stored', async () => {
    const email = `${randomUUID()}@example.com`
    const attempt = (at: number, isRight = false, account = email) =>
      throttleOf(at).attempt({ account, address: '203.0.113.7', isKnown }, async () => ({
        isRight,
      }))
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => attempt(at)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const at of [0, 1]) {
      await expect(attempt(at)).rejects.toMatchObject({ code: 'login_throttled' })
      await attempt(at, false, `${randomUUID()}@example.com`)
    }
    const text = await store.text()
    expect(text).toContain('login-failures')
    expect(text).not.toMatch(/@|203\.0/)
    await store.endWaits()
    await attempt(0)
    await expect(attempt(1)).rejects.toMatchObject({ headers: { 'retry-after': '2' } })
    await store.endWaits()
    await attempt(1, true)
    for (let at = 0; at < 5; at += 1) await attempt(at)
    await expect(attempt(1)).rejects.toMatchObject({ headers: { 'retry-after': '1' } })
  })

  test('simultaneous logins on both wait for one another, and none is refused', async () => {
    const who = { account: `${randomUUID()}@example.com`, address: '203.0.113.8', isKnown }
    const check = async () => {
      await setTimeout(30)
      return { isRight: true }
    }
    const tries = Array.from({ length: 20 }, (_, at) => throttleOf(at).attempt(who, check))
    expect(await Promise.all(tries)).toEqual(tries.map(() => ({ isRight: true })))
  })

  test('an address has thirty failures a minute on both together', async () => {
    await end()
    const both = replicas.both(replicas.worlds[0].anonymous)
    const fail = (at: number) =>
      both[at % 2 === 0 ? 0 : 1].post('/auth/login', {
        email: `${randomUUID()}@example.com`,
        password: 'wrong password',
      })
    // Two at a time, so that no login waits a second for its hash on a busy machine.
    for (let times = 0; times < 15; times += 1) {
      const replies = await Promise.all([fail(0), fail(1)])
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    }
    for (const at of [0, 1]) expect((await fail(at)).json().code).toBe('login_throttled')
  })
}

const cheapOnes = (both: readonly [Client, Client], count: number) =>
  Array.from({ length: count }, (_, at) => both[at % 2 === 0 ? 0 : 1].get('/organization'))

describe('two replicas count in PostgreSQL', () => {
  beforeAll(async () => {
    replicas = await openReplicas({ FLIGHTDECK_CAPS: 'profiles=5' })
  })
  afterAll(() => replicas.close())

  const update = async (value: string, condition: string) => {
    await replicas.database.query(`update rate_limits set expires_at = ${value} where ${condition}`)
  }
  const keys = () => replicas.database.query('select key from rate_limits')

  sharedCount({
    lose: () => update('now()', 'true'),
    endWaits: () => update('now()', `key like 'login-waits%'`),
    text: async () => JSON.stringify(await keys()),
  })

  test('without PostgreSQL requests fail like all others, and recover with it', async () => {
    const { address } = replicas.database
    const line = await lineTo(address)
    const world = await openWorld({ address: line.address, env: sharedDatabase })
    try {
      const { owner } = await world.organization()
      expect((await owner.get('/limits')).statusCode).toBe(200)
      await line.shut()
      const refused = await owner.get('/limits')
      expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
      await line.open()
      await expect.poll(async () => (await owner.get('/limits')).statusCode).toBe(200)
    } finally {
      await world.close()
      await line.close()
    }
  })

  test('windows that have ended are purged', async () => {
    const { owner } = await replicas.organization()
    await many(owner, 2)
    await update(`now() - interval '2 hours'`, 'true')
    await many((await replicas.organization()).owner, 2)
    const { purged } = await purgeRateLimits(
      replicas.worlds[0].services,
      AbortSignal.timeout(5_000),
    )
    expect(purged).toBeGreaterThan(0)
    expect(await keys()).toHaveLength(1)
  })

  test('caps are exact when two replicas create concurrently', async () => {
    const { owner } = await replicas.organization()
    const both = replicas.both(owner)
    const create = (_: unknown, at: number) =>
      both[at % 2 === 0 ? 0 : 1].post('/profiles', { name: `P${at}`, platform: 'meta' })
    const replies = await Promise.all(Array.from({ length: 16 }, create))
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    expect(replies.filter((reply) => reply.json().code === 'limit_exceeded')).toHaveLength(11)
    expect((await both[1].get('/limits')).json().caps.profiles).toEqual({ limit: 5, used: 5 })
  })
})

describe.skipIf(!isRedisInstalled)('two replicas count in Redis', () => {
  let redis: OwnRedis
  let client: Redis

  beforeAll(async () => {
    redis = await ownRedis()
    client = new Redis(redis.url)
    client.on('error', () => {})
    replicas = await openReplicas({ FLIGHTDECK_REDIS_URL: redis.url })
    expect(await limitsStates()).toEqual(['fallback', 'fallback'])
    replicas.advance(60)
    expect(await limitsStates()).toEqual(['ok', 'ok'])
  })
  afterAll(async () => {
    await replicas.close()
    client.disconnect()
    await redis.close()
  })

  const limitsState = (at: 0 | 1) => replicas.worlds[at].services.limits.counterStore.state()
  const limitsStates = async () => [await limitsState(0), await limitsState(1)]

  sharedCount({
    lose: async () => void (await client.flushall()),
    endWaits: async () => void (await client.del(await client.keys('*login-waits*'))),
    text: async () => JSON.stringify(await client.keys('*')),
  })

  test('every count in it expires', async () => {
    for (const key of await client.keys('*')) expect(await client.pttl(key)).toBeGreaterThan(0)
  })

  test('while it is down PostgreSQL counts: nothing is locked out, and at most twice the limit passes', async () => {
    const [news, otherNews]: [boolean[], boolean[]] = [[], []]
    replicas.worlds[0].services.limits.counterStore.watch(({ isAway }) => void news.push(isAway))
    replicas.worlds[1].services.limits.counterStore.watch(
      ({ isAway }) => void otherNews.push(isAway),
    )
    const { owner } = await replicas.organization({ plan: 'free' })
    const fresh = await replicas.organization({ plan: 'free' })
    expect(await limitsState(0)).toBe('ok')
    expect(passed(await many(owner, 120))).toHaveLength(100)

    await redis.kill()
    await expect.poll(limitsStates).toEqual(['fallback', 'fallback'])
    const replies = await many(owner, 150)
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]))
    expect(passed(replies)).toHaveLength(100)
    expect(passed(await many(fresh.owner, 120))).toHaveLength(100)
    expect(await limitsStates()).toEqual(['fallback', 'fallback'])
    const ready = await replicas.worlds[0].app.inject('/readyz')
    expect([ready.statusCode, ready.json().checks.limits]).toEqual([200, 'fallback'])

    await redis.start()
    for (const each of [news, otherNews]) {
      await expect.poll(() => each).toEqual([true, false])
    }
    // It lost its counts: starting again at once would let a third hundred pass.
    expect(passed(await many(owner, 50))).toHaveLength(0)
    replicas.advance(60)
    expect(await limitsStates()).toEqual(['ok', 'ok'])
    expect(passed(await many(owner, 120))).toHaveLength(100)
    expect(await client.keys(`*requests:*`)).toHaveLength(1)
    expect(news).toEqual([true, false])
  })

  test('a Redis that refuses counts as down', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    const news: string[] = []
    replicas.worlds[0].services.limits.counterStore.watch(({ reason }) => void news.push(reason))
    await client.config('SET', 'maxmemory', '1')
    expect(passed(await many(owner, 120))).toHaveLength(100)
    await client.config('SET', 'maxmemory', '0')
    await expect.poll(() => news).toEqual([expect.stringMatching(/OOM/), ''])
    expect(await limitsState(0)).toBe('fallback')
    replicas.advance(60)
    expect(await limitsState(0)).toBe('ok')
  })

  test('a Redis that hangs is abandoned within seconds', async () => {
    const { owner } = await replicas.organization({ plan: 'free' })
    await many(owner, 2)
    redis.hold()
    try {
      const begun = performance.now()
      expect(passed(await many(owner, 10))).toHaveLength(10)
      expect(performance.now() - begun).toBeLessThan(3_000)
      expect(await limitsState(0)).toBe('fallback')
    } finally {
      redis.goOn()
    }
  })

  test('a Redis that is down at the start is no failure, and is used when it comes up', async () => {
    await redis.kill()
    const late = await openReplicas({ FLIGHTDECK_REDIS_URL: redis.url })
    try {
      const { owner } = await late.organization()
      expect((await owner.get('/limits')).statusCode).toBe(200)
      await redis.start()
      const {
        limits: { counterStore: counting },
      } = late.worlds[0].services
      const stateLater = () => {
        late.advance(60)
        return counting.state()
      }
      await expect.poll(stateLater).toBe('ok')
    } finally {
      await late.close()
    }
  })
})
