import type { Query } from '../../database/kysely.ts'
import type { Clock } from '../../values/clock.ts'
import { type Charge, type CounterStore, counterIn, noLimit, type Window } from './counter.ts'
import type { Counting } from './counters.ts'
import { countsInPostgres } from './in-postgres.ts'
import { connectToRedis, type RedisConnection } from './redis-connection.ts'
import type { RedisNews } from './redis-outages.ts'

type Parts = { query: Query; clock: Clock }

/** The longest window in which an organization's requests count. */
const restMs = 60_000

/** While Redis is away, PostgreSQL counts. */
export function countingInRedis(url: string, { query, clock }: Parts): Counting {
  const listeners: ((news: RedisNews) => void)[] = []
  const tell = (news: RedisNews) => {
    for (const listener of listeners) listener(news)
  }
  const redis = connectToRedis({ url, clock, restMs, tell })
  const store = withFallback(redis, countsInPostgres(query))
  return {
    counter: (options) => counterIn(store, options),
    store: () => (redis.isUsable ? 'redis' : 'postgres'),
    state: async () => {
      await redis.connected()
      return redis.isUsable ? 'ok' : 'fallback'
    },
    watch: (listener) => void listeners.push(listener),
    close: redis.close,
  }
}

/** What Redis fails to count is counted by the fallback. */
function withFallback(redis: RedisConnection, fallback: CounterStore): CounterStore {
  async function count(charge: Charge): Promise<Window> {
    if (!redis.isUsable) await redis.connected()
    return redis.count({ ...charge, key: redisKey(charge.key) })
  }
  return {
    take: (charge) => count(charge).catch(() => fallback.take(charge)),
    giveBack: (refund) =>
      count({ ...refund, cost: -refund.cost, limit: noLimit }).catch(() =>
        fallback.giveBack(refund),
      ),
    look: (window) =>
      count({ ...window, cost: 0, limit: noLimit }).catch(() => fallback.look(window)),
    /** In both: either may count next, and must not come back with what is over. */
    async forget(key) {
      await redis.delete(redisKey(key))
      await fallback.forget(key)
    },
  }
}

const redisKey = (key: string) => `flightdeck:${key}`
