import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRedisInstalled, markAsOld, type OwnRedis, ownRedis } from '../support/machines/redis.ts'
import { openReplicas, type Replicas } from '../support/machines/replicas.ts'

describe.skipIf(!isRedisInstalled)('while Redis goes down and comes back with its data', () => {
  let redis: OwnRedis
  let replicas: Replicas

  beforeAll(async () => {
    redis = await ownRedis()
    await markAsOld(redis.url)
    replicas = await openReplicas({ FLIGHTDECK_REDIS_URL: redis.url })
    expect(await states()).toEqual(['ok', 'ok'])
  })
  afterAll(async () => {
    await replicas.close()
    await redis.close()
  })

  const states = () =>
    Promise.all(replicas.worlds.map(({ services }) => services.limits.counterStore.state()))

  /** Uses new accounts: answers whether an attempt was checked or had to wait. */
  function account() {
    const who = {
      account: `${randomUUID()}@example.com`,
      address: randomUUID(),
      isKnown: async () => false,
    }
    return (at: 0 | 1, isRight: boolean): Promise<string> =>
      replicas.worlds[at].services.identity.throttle
        .attempt(who, async () => ({ isRight }))
        .then(
          () => 'judged',
          ({ code }) => code,
        )
  }

  const failed = async (attempt: ReturnType<typeof account>, times: number) => {
    for (let count = 0; count < times; count += 1) expect(await attempt(0, false)).toBe('judged')
  }

  async function goAway(): Promise<void> {
    redis.hold()
    // The next attempt notices.
    await Promise.all([account()(0, true), account()(1, true)])
    await expect.poll(states).toEqual(['fallback', 'fallback'])
  }

  async function comeBack(): Promise<void> {
    redis.goOn()
    await expect
      .poll(
        () => {
          replicas.advance(60)
          return states()
        },
        { timeout: 20_000, interval: 500 },
      )
      .toEqual(['ok', 'ok'])
  }

  test('failures before a successful login do not come back with it', async () => {
    const [attempt, waiting, guessed] = [account(), account(), account()]
    await failed(attempt, 4)
    await failed(waiting, 5)
    expect(await waiting(1, true)).toBe('login_throttled')
    await failed(guessed, 4)
    await goAway()
    expect(await attempt(0, true)).toBe('judged')
    expect(await waiting(1, true)).toBe('judged')
    await comeBack()
    await failed(attempt, 5)
    expect(await attempt(1, false)).toBe('login_throttled')
    await failed(waiting, 5)
    // Accounts without a login keep their counts.
    await failed(guessed, 1)
    expect(await guessed(1, false)).toBe('login_throttled')
  })

  test('failures during the outage do not reappear at the next one', async () => {
    const attempt = account()
    await goAway()
    await failed(attempt, 4)
    await comeBack()
    expect(await attempt(0, true)).toBe('judged')
    await goAway()
    await failed(attempt, 5)
    await comeBack()
  })
})
