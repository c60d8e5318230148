import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRedisInstalled, markAsOld, type OwnRedis, ownRedis } from '../support/machines/redis.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { expectRecovery } from './recovery.ts'

const limit = 300

describe.skipIf(!isRedisInstalled)('Redis is killed under load and comes back', () => {
  let redis: OwnRedis
  let environment: Environment

  beforeAll(async () => {
    redis = await ownRedis()
    await markAsOld(redis.url)
    const env = {
      FLIGHTDECK_REDIS_URL: redis.url,
      FLIGHTDECK_PLAN_LIMITS: `zion=1000000,free=${limit}`,
    }
    environment = await openEnvironment({ replicas: [{ env }, { env }] })
  })
  afterAll(async () => {
    await environment.close()
    await redis.close()
  })

  test('no client is locked out, and at most twice the limit passes', async () => {
    const [load, limited] = [await environment.load(), await environment.found({ plan: 'free' })]
    const rush = startRush(environment, limited.token)
    await rush.refused(1)
    await redis.kill()
    await rush.refused(50)
    await redis.start()
    await sleep(1_500)
    const { passed, others } = await rush.stop()
    expect(others).toEqual({})
    expect(passed).toBeGreaterThan(limit)
    expect(passed).toBeLessThanOrEqual(2 * limit)
    await expectRecovery(environment, load)
    // Requests wait briefly for a missing Redis, with no other effect.
    expect(load.incidentLog.incidents).toEqual([])
  })
})

type Rush = {
  /** Resolves after this many more refusals. */
  refused(more: number): Promise<void>
  stop(): Promise<{ passed: number; others: Record<string, number> }>
}

/** Requests of one organization far beyond its limit. */
function startRush({ services }: Environment, token: string): Rush {
  const counts: Record<string, number> = {}
  const countOf = (status: number) => counts[status] ?? 0
  let isOver = false
  const headers = { authorization: `Bearer ${token}` }
  const send = async (at: number) => {
    while (!isOver) {
      const url = services[at % services.length]?.url
      const { status } = await fetch(`${url}/api/v1/organization`, { headers })
      counts[status] = countOf(status) + 1
      await sleep(5)
    }
  }
  const senders = Promise.all([0, 1, 2, 3].map(send))
  return {
    async refused(more) {
      const enough = countOf(429) + more
      while (countOf(429) < enough) await sleep(20)
    },
    async stop() {
      isOver = true
      await senders
      const { 200: passed = 0, 429: _, ...others } = counts
      return { passed, others }
    },
  }
}
