import type { Query } from '../../database/kysely.ts'
import type { Clock } from '../../values/clock.ts'
import type { Counting } from './counters.ts'
import { CounterInPostgres } from './in-postgres.ts'
import { CounterInRedis } from './in-redis.ts'
import { countsInPostgres } from './postgres-counts.ts'
import { connectToRedis } from './redis-connection.ts'
import type { RedisNews } from './redis-outages.ts'

type Parts = { query: Query; clock: Clock }

/** The longest window in which an organization's requests count. */
const restMs = 60_000

/** While Redis is away, PostgreSQL counts. */
export function countingInRedis(url: string, { query, clock }: Parts): Counting {
  const listeners: ((news: RedisNews) => void)[] = []
  const postgres = countsInPostgres(query)
  const tell = (news: RedisNews) => {
    for (const listener of listeners) listener(news)
  }
  const line = connectToRedis({ url, clock, restMs, tell })
  return {
    counter: (options) =>
      new CounterInRedis(options, { line, insurance: new CounterInPostgres(options, postgres) }),
    store: () => (line.isUsable ? 'redis' : 'postgres'),
    state: async () => {
      await line.connected()
      return line.isUsable ? 'ok' : 'fallback'
    },
    watch: (listener) => void listeners.push(listener),
    close: line.close,
  }
}
