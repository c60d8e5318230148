import type { Config } from '../../config/config.ts'
import type { Query } from '../../database/kysely.ts'
import type { Clock } from '../../values/clock.ts'
import { type Counter, type CounterOptions, counterIn } from './counter.ts'
import { countsInMemory } from './in-memory.ts'
import { countsInPostgres } from './in-postgres.ts'
import type { RedisNews } from './redis-outages.ts'

export type Store = 'memory' | 'postgres' | 'redis'

/** Where this process counts what is limited: one count for all processes that serve a database. */
export type Counting = {
  counter(options: CounterOptions): Counter
  /** Which one counts right now. */
  store(): Store
  /** `fallback`: Redis is away, or was until just now, and PostgreSQL counts. */
  state(): Promise<'ok' | 'fallback'>
  /** Hears when Redis goes away, and when it is back. */
  watch(listener: (news: RedisNews) => void): void
  close(): void
}

type Settings = Pick<Config, 'redisUrl' | 'databaseUrl'>
type Parts = { query: Query; clock: Clock }

/** In Redis where there is one, else in a shared database; the embedded one has one process alone. */
export async function openCounting(
  { redisUrl, databaseUrl }: Settings,
  parts: Parts,
): Promise<Counting> {
  if (redisUrl !== null) {
    // Its client is loaded only where there is a Redis.
    const { countingInRedis } = await import('./in-redis.ts')
    return countingInRedis(redisUrl, parts)
  }
  const nothing = { state: async () => 'ok' as const, watch: () => {}, close: () => {} }
  if (databaseUrl === null) {
    // One each: the windows of one counter never displace another's.
    const counter = (options: CounterOptions) => counterIn(countsInMemory(), options)
    return { ...nothing, counter, store: () => 'memory' }
  }
  const store = countsInPostgres(parts.query)
  const counter = (options: CounterOptions) => counterIn(store, options)
  return { ...nothing, counter, store: () => 'postgres' }
}
