import type { Config } from '../config/config.ts'
import type { Clock } from '../values/clock.ts'
import type { Organization } from '../values/organization.ts'
import type { Window } from './counters/counter.ts'
import type { Counting } from './counters/counters.ts'
import { exhaustedWindows } from './counters/used-up.ts'

export const windowSeconds = 60

/** The state of the organization's window. */
export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export type RateLimits = {
  /**
   * Counts a request of this cost unless it exceeds the limit; the cost is capped at the whole
   * limit.
   */
  take(organization: Organization, cost?: number): Promise<Allowance>
  /** Returns the cost of a request that was refused after all. */
  giveBack(organization: Organization, cost: number): Promise<Allowance>
  /** The current window, without counting. */
  look(organization: Organization): Promise<Allowance>
}

/** Windows of 60 s, each starting with an organization's first counted request. */
export function rateLimitsOf(
  { planLimits }: Pick<Config, 'planLimits'>,
  { counting, clock }: { counting: Counting; clock: Clock },
): RateLimits {
  const counter = counting.counter({ name: 'requests', seconds: windowSeconds })
  const usedUp = exhaustedWindows(counting, clock)

  return {
    async take({ id, plan }, wanted = 1) {
      // Read per request, so that a changed plan applies at once.
      const limit = planLimits[plan]
      const cost = Math.min(wanted, limit)
      const known = usedUp.find(id)
      if (known && known.used >= limit) return refused(limit, known)
      const store = counting.store()
      const { used: asked, msLeft } = await counter.take(id, { cost, limit })
      if (asked <= limit) return allowanceOf(limit, { used: asked, msLeft })
      // Refused requests are not counted.
      const window = { used: asked - cost, msLeft }
      if (window.used >= limit) usedUp.remember(id, { ...window, store })
      return refused(limit, window)
    },
    async giveBack({ id, plan }, cost) {
      const window = await counter.giveBack(id, cost)
      usedUp.forget(id)
      return allowanceOf(planLimits[plan], window)
    },
    look: async ({ id, plan }) => allowanceOf(planLimits[plan], await counter.look(id)),
  }
}

const refused = (limit: number, window: Window): Allowance => ({
  ...allowanceOf(limit, window),
  allowed: false,
})

const allowanceOf = (limit: number, { used, msLeft }: Window): Allowance => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msLeft / 1000))),
})
