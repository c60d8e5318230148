import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../src/values/clock.ts'
import { type FreshDatabase, migratedDatabase } from '../support/machines/fresh-database.ts'
import { isRedisInstalled, markAsOld, type OwnRedis, ownRedis } from '../support/machines/redis.ts'
import { sharedDatabase } from '../support/machines/replicas.ts'
import { type Client, clientOf, openWorld, type World } from '../support/world.ts'

const minute = 60_000
const mark = 'flightdeck:since'

/** A process, its view of Redis, and a wall clock that can be shifted. */
type Process = World & { news: boolean[]; setBy(ms: number): void; state(): Promise<string> }

describe.skipIf(!isRedisInstalled)('a process counts in Redis', () => {
  let database: FreshDatabase
  let redis: OwnRedis
  let client: Redis

  beforeAll(async () => {
    ;[database, redis] = [await migratedDatabase(), await ownRedis()]
    client = new Redis(redis.url).on('error', () => {})
  })
  beforeEach(() => client.flushall())
  afterAll(async () => {
    client.disconnect()
    await redis.close()
    await database.drop()
  })

  async function start(): Promise<Process> {
    const clock = fakeClock()
    let offMs = 0
    const now = () => new Date(clock.now().getTime() + offMs)
    const env = { ...sharedDatabase, FLIGHTDECK_REDIS_URL: redis.url }
    const world = await openWorld({ address: database.address, env, clock: { ...clock, now } })
    onTestFinished(world.close)
    const news: boolean[] = []
    const {
      limits: { counterStore: counting },
    } = world.services
    counting.watch(({ isAway }) => void news.push(isAway))
    const setBy = (ms: number) => {
      offMs += ms
    }
    return { ...world, news, setBy, state: counting.state }
  }

  /** A process for which Redis has long been available. */
  async function startOnOld(): Promise<Process> {
    await markAsOld(redis.url)
    const process = await start()
    expect(await process.state()).toBe('ok')
    return process
  }

  /** Redis returns with an old snapshot of itself. */
  async function restart({ news }: Process): Promise<void> {
    await redis.kill()
    await redis.start()
    await markAsOld(redis.url)
    await expect.poll(() => news).toEqual([true, false])
  }

  async function passed({ app }: World, owner: Client): Promise<number> {
    const { get } = clientOf(app, owner)
    const replies = await Promise.all(Array.from({ length: 120 }, () => get('/organization')))
    return replies.filter(({ statusCode }) => statusCode === 200).length
  }

  test('once Redis is a minute old; until then PostgreSQL counts for all processes', async () => {
    const [first, second] = [await start(), await start()]
    const { owner } = await first.organization({ plan: 'free' })
    expect(await passed(first, owner)).toBe(100)
    expect(await passed(second, owner)).toBe(0)
    expect([await first.state(), await second.state()]).toEqual(['fallback', 'fallback'])
    expect(await client.keys('*')).toEqual([mark])
    first.clock.advance(minute)
    expect(await first.state()).toBe('ok')
    expect(await passed(first, owner)).toBe(100)
    expect(first.news).toEqual([])
  })

  test('no sooner when the process starts just after Redis has come back', async () => {
    const first = await startOnOld()
    const { owner } = await first.organization({ plan: 'free' })
    expect(await passed(first, owner)).toBe(100)
    await redis.kill()
    await expect.poll(first.state).toBe('fallback')
    expect(await passed(first, owner)).toBe(100)
    await redis.start()
    const late = await start()
    expect(await passed(late, owner)).toBe(0)
    late.clock.advance(minute)
    expect(await late.state()).toBe('ok')
  })

  test('no sooner when Redis has come back with old data', async () => {
    await restart(await startOnOld())
    expect(await (await start()).state()).toBe('fallback')
  })

  test('no sooner when it finds Redis full, and continues with PostgreSQL', async () => {
    await client.config('SET', 'maxmemory', '1')
    onTestFinished(async () => void (await client.config('SET', 'maxmemory', '0')))
    const first = await start()
    const { owner } = await first.organization({ plan: 'free' })
    expect(await passed(first, owner)).toBe(100)
    expect([await first.state(), first.news]).toEqual(['fallback', [true]])
    await client.config('SET', 'maxmemory', '0')
    await expect.poll(() => first.news).toEqual([true, false])
    first.clock.advance(minute)
    expect(await first.state()).toBe('ok')
  })

  test('at once when it is the newest of many', async () => {
    const first = await startOnOld()
    const { owner } = await first.organization({ plan: 'free' })
    const late = await start()
    expect(await passed(late, owner)).toBe(100)
    expect(await passed(first, owner)).toBe(0)
  })

  test('after the same delay, however its clock is changed meanwhile', async () => {
    const first = await startOnOld()
    await restart(first)
    first.setBy(60 * minute)
    expect(await first.state()).toBe('fallback')
    first.setBy(-120 * minute)
    first.clock.advance(minute - 1)
    expect(await first.state()).toBe('fallback')
    first.clock.advance(1)
    expect(await first.state()).toBe('ok')
  })
})
