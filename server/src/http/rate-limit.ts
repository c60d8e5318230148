import { type Allowance, windowSeconds } from '../kernel/rate-limits.ts'

/** The IETF draft's fields, and the older ones that many clients read. */
export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Allowance) => ({
  'ratelimit-policy': `"plan";q=${limit};w=${windowSeconds}`,
  ratelimit: `"plan";r=${remaining};t=${resetSeconds}`,
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
})
