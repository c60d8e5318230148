import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type Bounds, type CounterOptions, noLimit, unbounded } from './counter.ts'

/**
 * Windows of one counter. Anybody can open more, by logging in with names that nobody has, and some
 * last for a day: beyond this the one that opened first is dropped.
 */
export const mostWindows = 50_000

/** Counts in this process: exact and free, where it is the only one. */
export class CounterInMemory extends RateLimiterMemory {
  constructor({ name, seconds }: CounterOptions) {
    super({ ...unbounded, keyPrefix: name, duration: seconds })
  }

  override async consume(key: string, cost = 1, bounds: Bounds = {}): Promise<RateLimiterRes> {
    const window = this.#open(key)
    const asked = (window?.consumedPoints ?? 0) + cost
    if (asked <= (bounds.limit ?? noLimit)) return this.#bounded(super.consume(key, cost, bounds))
    return new RateLimiterRes(0, window?.msBeforeNext ?? this.duration * 1000, asked)
  }

  override async penalty(key: string, points = 1): Promise<RateLimiterRes> {
    return this.#bounded(super.penalty(key, points))
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

  #bounded(counted: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
    const storage = storageOf(this)
    const [oldest] = storage._storage.size > mostWindows ? storage._storage.keys() : []
    if (oldest !== undefined) storage.delete(oldest)
    return counted
  }
}

type Storage = {
  readonly _storage: ReadonlyMap<string, unknown>
  get(key: string): RateLimiterRes | null
  delete(key: string): boolean
}

/** The library hides it behind promises; between a look and a count, others would count. */
const storageOf = (limiter: RateLimiterMemory): Storage =>
  (limiter as unknown as { _memoryStorage: Storage })._memoryStorage
