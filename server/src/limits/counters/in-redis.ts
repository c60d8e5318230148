import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible'
import { type Bounds, type CounterOptions, noLimit, unbounded } from './counter.ts'
import type { RedisConnection } from './redis-connection.ts'

type Parts = { line: RedisConnection; insurance: RateLimiterAbstract }

/** The library's limiter on our script, which counts for many requests in one trip. */
export class CounterInRedis extends RateLimiterRedis {
  readonly #line: RedisConnection
  readonly #insurance: RateLimiterAbstract

  constructor({ name, seconds }: CounterOptions, { line, insurance }: Parts) {
    super({
      ...unbounded,
      keyPrefix: `flightdeck:${name}`,
      duration: seconds,
      storeClient: line.client,
      insuranceLimiter: insurance,
    })
    this.#line = line
    this.#insurance = insurance
  }

  // The names by which the library asks a store. What is thrown here, the insurance answers.
  async _upsert(key: string, cost: number, ms: number, _: boolean, bounds: Bounds = {}) {
    if (!this.#line.isUsable) await this.#line.connected()
    return this.#line.count({ key, cost, ms, limit: bounds.limit ?? noLimit })
  }

  /** In both stores: either may count next, and must not come back with what is over. */
  override async delete(key: string): Promise<boolean> {
    const wasThere = await this.#line.delete(this.getKey(key))
    return (await this.#insurance.delete(key)) || wasThere
  }

  _isRedisReady(): boolean {
    return this.#line.isUsable
  }
}
