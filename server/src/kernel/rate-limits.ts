import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Organization } from './context.ts'

export const windowSeconds = 60

/** What is left of the organization's window after this request. */
export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export type RateLimits = {
  /** Counts a request of this cost, unless it would pass the limit. */
  take(organization: Organization, cost?: number): Promise<Allowance>
  /** Counts so much less: of a request that is refused after all. */
  giveBack(organization: Organization, cost: number): Promise<Allowance>
  /** The window as it is, counting nothing. */
  look(organization: Organization): Promise<Allowance>
}

/** A window of 60 s opens with the first counted request of an organization. */
export function rateLimitsOf(planLimits: Config['planLimits']): RateLimits {
  // The plan decides the limit at each request, so that a changed plan applies at once.
  const limiter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  })

  return {
    async take({ id, plan }, cost = 1) {
      const limit = planLimits[plan]
      const taken = await limiter.consume(id, cost)
      if (taken.consumedPoints <= limit) {
        return allowanceOf(limit, taken.consumedPoints, taken.msBeforeNext)
      }
      // A refused request does not count.
      const left = await limiter.reward(id, cost)
      return { ...allowanceOf(limit, left.consumedPoints, left.msBeforeNext), allowed: false }
    },
    async giveBack({ id, plan }, cost) {
      const left = await limiter.reward(id, cost)
      return allowanceOf(planLimits[plan], left.consumedPoints, left.msBeforeNext)
    },
    async look({ id, plan }) {
      const window = await limiter.get(id)
      const isOpen = window !== null && window.msBeforeNext > 0
      const [used, msLeft] = isOpen
        ? [window.consumedPoints, window.msBeforeNext]
        : [0, windowSeconds * 1000]
      return allowanceOf(planLimits[plan], used, msLeft)
    },
  }
}

const allowanceOf = (limit: number, used: number, msLeft: number): Allowance => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msLeft / 1000))),
})
