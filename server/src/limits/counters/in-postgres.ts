import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type Answer, type Bounds, type CounterOptions, noLimit, unbounded } from './counter.ts'
import type { CountsInPostgres } from './postgres-counts.ts'

/**
 * The library's limiter on our statements: its own go by the clock of the process that asks, take one
 * trip a request, and count what is refused.
 */
export class CounterInPostgres extends RateLimiterPostgres {
  readonly #counts: CountsInPostgres

  constructor({ name, seconds }: CounterOptions, counts: CountsInPostgres) {
    super({
      ...unbounded,
      keyPrefix: name,
      duration: seconds,
      storeClient: counts,
      storeType: 'client',
      tableCreated: true,
      clearExpiredByTimeout: false,
    })
    this.#counts = counts
  }

  // The names by which the library asks a store.
  async _upsert(key: string, cost: number, ms: number, _: boolean, bounds: Bounds = {}) {
    if (cost < 0) return (await this.#counts.giveBack(key, -cost)) ?? [0, ms]
    const { limit = noLimit } = bounds
    return this.#counts.take({ key, cost, seconds: ms / 1000, limit })
  }

  _get(key: string): Promise<Answer | null> {
    return this.#counts.look(key)
  }

  _delete(key: string): Promise<boolean> {
    return this.#counts.forget(key)
  }

  _getRateLimiterRes(_key: string, _points: number, [used, msLeft]: Answer): RateLimiterRes {
    return new RateLimiterRes(0, msLeft, used)
  }
}
