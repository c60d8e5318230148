import type { Query } from '../../database/tables/kysely.ts'
import type { Clock } from '../../values/clock.ts'
import { type Charge, type CounterStore, counterIn, noLimit, type Window } from './counter.ts'
import type { Counting } from './counters.ts'
import { countsInPostgres } from './in-postgres.ts'
import { connectToRedis, type RedisConnection } from './redis-connection.ts'
import type { RedisNews } from './redis-outages.ts'

export type StoreDeps = { query: Query; clock: Clock }

/** The longest window for an organization's requests. */
const restMs = 60_000

/** PostgreSQL counts while Redis is unavailable. */
export function countingInRedis(url: string, { query, clock }: StoreDeps): Counting {
  const listeners: ((news: RedisNews) => void)[] = []
  const notify = (news: RedisNews) => {
    for (const listener of listeners) listener(news)
  }
  const redis = connectToRedis({ url, clock, restMs, notify })
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

/** If Redis fails, the fallback counts. */
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
    /** In both stores: either may count next, and must not return with stale counts. */
    async forget(key) {
      await redis.delete(redisKey(key))
      await fallback.forget(key)
    },
  }
}

const redisKey = (key: string) => `flightdeck:${key}`
