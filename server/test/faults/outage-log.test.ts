import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Service } from '../support/machines/command-line.ts'
import { isRedisInstalled, type OwnRedis, ownRedis } from '../support/machines/redis.ts'
import { type Environment, openEnvironment } from './environment.ts'

type Line = Record<string, unknown>

const isDown = 'the database is unavailable: failures are counted until it is back'
const isUp = 'the database is available again'
const isDeaf =
  'notifications from other processes do not arrive: polling every second instead; trying again'
const hasLost = 'leases lost: this process stops their work'
const isHeard = 'notifications from other processes arrive again'

let redis: OwnRedis | undefined
let environment: Environment

beforeAll(async () => {
  if (isRedisInstalled) redis = await ownRedis()
  const env = redis ? { FLIGHTDECK_REDIS_URL: redis.url } : {}
  environment = await openEnvironment({ replicas: [{ env }, { env, args: ['--role', 'worker'] }] })
})
afterAll(async () => {
  await environment.close()
  await redis?.close()
})

/** The lines of a process from now on. */
function linesOf({ logged }: Service): () => Line[] {
  const before = logged.length
  return () => logged.slice(before)
}

const textsOf = (lines: Line[]) => lines.map(({ msg }) => msg)
const has = (lines: Line[], text: string) => expect(textsOf(lines)).toContain(text)

/** Requests for a while, one after the other; returns how many failed. */
async function failuresFor(ms: number, { url }: Service, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  let failed = 0
  for (const until = Date.now() + ms; Date.now() < until; await sleep(20)) {
    const { status } = await fetch(`${url}/api/v1/campaigns`, { headers })
    if (status === 503) failed += 1
  }
  return failed
}

/** Works well: the queue runs in both processes. */
const untilReady = () =>
  vi.waitFor(async () => {
    for (const { url } of environment.services) {
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
  }, 20_000)

/** Begins an outage, and answers how to end it. */
const outages = {
  async 'PostgreSQL is stopped'() {
    await environment.postgres.stop()
    return () => environment.postgres.start()
  },
  async 'its connections fall silent'() {
    const hole = environment.line.hang()
    for (const each of environment.line.carried()) each.break('silence')
    return async () => hole.end()
  },
}

describe('in an outage of the database', () => {
  test.each(Object.entries(outages))(
    'each process logs one line when it begins and one when it ends: %s',
    async (_, begin) => {
      const [api, worker] = environment.services as [Service, Service]
      const { token } = await environment.found({})
      await untilReady()
      const lines = [linesOf(api), linesOf(worker)] as const
      const end = await begin()
      const failed = await failuresFor(16_000, api, token)
      await end()
      for (const each of lines) {
        await vi.waitFor(() => has(each(), isUp), 20_000)
        await vi.waitFor(() => has(each(), isHeard), 20_000)
      }
      for (const each of lines) {
        const texts = textsOf(each())
        expect(texts.filter((text) => text !== hasLost).sort()).toEqual(
          [isDeaf, isHeard, isDown, isUp].sort(),
        )
        expect(texts.filter((text) => text === hasLost).length).toBeLessThanOrEqual(1)
        expect(JSON.stringify(each())).not.toMatch(/\\n +at /)
      }
      const summary = lines[0]().find(({ msg }) => msg === isUp)
      expect(failed).toBeGreaterThan(0)
      expect(summary).toMatchObject({ level: 'info', failures: { requests: failed } })
      expect(Number(summary?.seconds)).toBeGreaterThan(5)
    },
    60_000,
  )
})

describe.skipIf(!isRedisInstalled)('in an outage of Redis', () => {
  test('the log has one line when it begins, and one with its duration when it ends', async () => {
    const [api] = environment.services as [Service]
    const { token } = await environment.found({})
    await failuresFor(500, api, token)
    const lines = linesOf(api)
    await redis?.kill()
    expect(await failuresFor(3_000, api, token)).toBe(0)
    await redis?.start()
    const back = 'Redis is available again: counting limits there in a minute'
    await vi.waitFor(() => has(lines(), back), 20_000)
    expect(textsOf(lines())).toEqual(['Redis is unavailable: counting limits in PostgreSQL', back])
    expect(Number(lines()[1]?.seconds)).toBeGreaterThan(2)
  })
})
