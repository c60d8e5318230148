import type { Config } from '../../config/config.ts'
import type { Query } from '../../database/tables/kysely.ts'
import type { Clock } from '../../values/clock.ts'
import { type Counter, type CounterOptions, counterIn } from './counter.ts'
import { countsInMemory } from './in-memory.ts'
import { countsInPostgres } from './in-postgres.ts'
import type { RedisNews } from './redis-outages.ts'

export type Store = 'memory' | 'postgres' | 'redis'

/** The counters of this process, shared by all processes of a database. */
export type Counting = {
  counter(options: CounterOptions): Counter
  /** The store in use. */
  store(): Store
  /** `fallback`: PostgreSQL counts, as Redis is unavailable or has just returned. */
  state(): Promise<'ok' | 'fallback'>
  /** Called when Redis becomes unavailable, and when it is back. */
  watch(listener: (news: RedisNews) => void): void
  close(): void
}

type Settings = Pick<Config, 'redisUrl' | 'databaseUrl'>
type Parts = { query: Query; clock: Clock }

/**
 * Uses Redis if configured, otherwise PostgreSQL; in memory for the embedded database, which has
 * one process.
 */
export async function openCounting(
  { redisUrl, databaseUrl }: Settings,
  parts: Parts,
): Promise<Counting> {
  if (redisUrl !== null) {
    // The client is loaded only if needed.
    const { countingInRedis } = await import('./in-redis.ts')
    return countingInRedis(redisUrl, parts)
  }
  const nothing = { state: async () => 'ok' as const, watch: () => {}, close: () => {} }
  if (databaseUrl === null) {
    // One per counter, so that their windows do not evict each other.
    const counter = (options: CounterOptions) => counterIn(countsInMemory(), options)
    return { ...nothing, counter, store: () => 'memory' }
  }
  const store = countsInPostgres(parts.query)
  const counter = (options: CounterOptions) => counterIn(store, options)
  return { ...nothing, counter, store: () => 'postgres' }
}
