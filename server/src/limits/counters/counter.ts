import type { RateLimiterAbstract } from 'rate-limiter-flexible'

/** Counts by key in windows of so many seconds. A window opens with the first that is counted. */
export type CounterOptions = { readonly name: string; readonly seconds: number }

/**
 * A limiter of rate-limiter-flexible that counts whole or not at all: what would pass the `limit` that
 * `consume` is given is not counted, and answered with the count as it would have become.
 */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'penalty' | 'reward' | 'get' | 'delete'>

/** What `consume` is given besides key and cost; without a limit it counts in any case. */
export type Bounds = { readonly limit?: number; readonly customDuration?: number }

/** What a store answers: the count, or what it would have become, and the window's rest. */
export type Answer = readonly [used: number, msLeft: number]

/** More than anybody asks for, and no more than PostgreSQL's integers hold. */
export const noLimit = 1_000_000_000

/** The library refuses nothing by itself: the limit comes with each question. */
export const unbounded = { points: Number.MAX_SAFE_INTEGER }
