import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type Bounds, type CounterOptions, noLimit, unbounded } from './counter.ts'

/** Counts in this process: exact and free, where it is the only one. */
export class CounterInMemory extends RateLimiterMemory {
  constructor({ name, seconds }: CounterOptions) {
    super({ ...unbounded, keyPrefix: name, duration: seconds })
  }

  override async consume(key: string, cost = 1, bounds: Bounds = {}): Promise<RateLimiterRes> {
    const window = this.#open(key)
    const asked = (window?.consumedPoints ?? 0) + cost
    if (asked <= (bounds.limit ?? noLimit)) return super.consume(key, cost, bounds)
    return new RateLimiterRes(0, window?.msBeforeNext ?? this.duration * 1000, asked)
  }

  override async reward(key: string, points = 1): Promise<RateLimiterRes> {
    const window = this.#open(key)
    if (!window) return new RateLimiterRes(0, this.duration * 1000, 0)
    return super.reward(key, Math.min(points, window.consumedPoints))
  }

  override async get(key: string): Promise<RateLimiterRes | null> {
    return this.#open(key) ?? null
  }

  /** The store forgets by a timer, which may come later than the time it was set for. */
  #open(key: string): RateLimiterRes | undefined {
    const window = storageOf(this).get(this.getKey(key))
    return window && window.msBeforeNext > 0 ? window : undefined
  }
}

type Storage = { get(key: string): RateLimiterRes | null }

/** The library hides it behind promises; between a look and a count, others would count. */
const storageOf = (limiter: RateLimiterMemory): Storage =>
  (limiter as unknown as { _memoryStorage: Storage })._memoryStorage
