import { Redis, type Result } from 'ioredis'
import { batch } from '../../concurrency/batch.ts'
import { lazy } from '../../concurrency/lazy.ts'
import type { Clock } from '../../values/clock.ts'
import type { Charge, Window } from './counter.ts'
import { deletionsIn } from './redis-deletions.ts'
import { type RedisNews, watchOutages } from './redis-outages.ts'

/** A Redis connection that may come and go. While it is unusable, every call fails at once. */
export type RedisConnection = {
  readonly isUsable: boolean
  /**
   * Resolves after the first attempt to connect, successful or not; retries continue in the
   * background.
   */
  connected(): Promise<void>
  /** A negative cost gives back. */
  count(charge: Charge): Promise<Window>
  /** Deletes now, or once the connection is back. */
  delete(key: string): Promise<void>
  close(): void
}

type RedisOptions = {
  url: string
  clock: Clock
  /** How long it stays unused after a reconnect. */
  restMs: number
  notify(news: RedisNews): void
}

const maxAtOnce = 200
const connectWithinMs = 2_000
/** A hanging Redis counts as unavailable. */
const answerWithinMs = 1_000
const maxPauseMs = 2_000

export function connectToRedis({ url, clock, restMs, notify }: RedisOptions): RedisConnection {
  const client = new Redis(url, {
    lazyConnect: true,
    // Works with any server of the protocol, with minimal permissions.
    protocol: 2,
    disableClientInfo: true,
    connectTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(maxPauseMs, 50 * 2 ** Math.min(times, 10)),
  })
  client.defineCommand('countInWindows', { lua })
  const outages = watchOutages(client, { clock, restMs, notify })

  async function count(charges: readonly Charge[]): Promise<Window[]> {
    if (!outages.isUsable()) throw new Error('Redis is away')
    try {
      return await countAll(client, charges)
    } catch (error) {
      if (client.status === 'ready') outages.blame(error)
      throw error
    }
  }

  return {
    get isUsable() {
      return outages.isUsable()
    },
    connected: lazy(() => client.connect().then(outages.idle, () => {})),
    count: batch(count, maxAtOnce),
    delete: deletionsIn(client),
    close: outages.close,
  }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Defined below. */
    countInWindows(
      keyCount: number,
      ...keysAndArguments: (string | number)[]
    ): Result<number[], Context>
  }
}

/** Counts each key completely or not at all. Redis's own clock ends the windows. */
const lua = `
local answers = {}
for at, key in ipairs(KEYS) do
  local cost = tonumber(ARGV[3 * at - 2])
  local left, used = redis.call('pttl', key), 0
  local isOpen = left > 0
  if isOpen then used = tonumber(redis.call('get', key)) else left = tonumber(ARGV[3 * at - 1]) end
  local asked = math.max(0, used + cost)
  if asked <= tonumber(ARGV[3 * at]) then
    if isOpen then redis.call('incrby', key, asked - used)
    elseif cost > 0 then redis.call('set', key, asked, 'px', left) end
  end
  answers[2 * at - 1] = asked
  answers[2 * at] = left
end
return answers`

async function countAll(client: Redis, charges: readonly Charge[]): Promise<Window[]> {
  const keys = charges.map(({ key }) => key)
  const values = charges.flatMap(({ cost, seconds, limit }) => [cost, seconds * 1000, limit])
  const answers = await client.countInWindows(keys.length, ...keys, ...values)
  return charges.map((_, at) => ({
    used: answers[2 * at] ?? 0,
    msLeft: answers[2 * at + 1] ?? 0,
  }))
}
