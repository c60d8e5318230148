import type { Config } from '../../config/config.ts'
import { type Counter, type CounterOptions, counterIn } from './counter.ts'
import { countsInMemory } from './in-memory.ts'
import { countsInPostgres } from './in-postgres.ts'
import type { StoreDeps } from './in-redis.ts'
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

type StoreSettings = Pick<Config, 'redisUrl' | 'databaseUrl'>

/**
 * Uses Redis if configured, otherwise PostgreSQL; in memory for the embedded database, which has
 * one process.
 */
export async function openCounting(
  { redisUrl, databaseUrl }: StoreSettings,
  deps: StoreDeps,
): Promise<Counting> {
  if (redisUrl !== null) {
    // The client is loaded only if needed.
    const { countingInRedis } = await import('./in-redis.ts')
    return countingInRedis(redisUrl, deps)
  }
  const nothing = { state: async () => 'ok' as const, watch: () => {}, close: () => {} }
  if (databaseUrl === null) {
    // One per counter, so that their windows do not evict each other.
    const counter = (options: CounterOptions) => counterIn(countsInMemory(), options)
    return { ...nothing, counter, store: () => 'memory' }
  }
  const store = countsInPostgres(deps.query)
  const counter = (options: CounterOptions) => counterIn(store, options)
  return { ...nothing, counter, store: () => 'postgres' }
}
