import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { type Allowance, windowSeconds } from '../../limits/rate-limit.ts'
import { Problem } from '../../problems/problem.ts'

/** The IETF draft's headers, and the older ones that many clients read. */
export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Allowance) => ({
  'ratelimit-policy': `"plan";q=${limit};w=${windowSeconds}`,
  ratelimit: `"plan";r=${remaining};t=${resetSeconds}`,
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
})

export const tooMany = (seconds: number) =>
  new Problem('rate_limited', `Request limit reached. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

type Cost = { cost: number; taken: number }

/** Takes the cost beyond what was counted before the body was read; all or nothing. */
export async function takeRemainingCost(
  { services, organization }: Context,
  { cost, taken }: Cost,
  reply: FastifyReply,
): Promise<void> {
  if (cost <= taken) return
  const allowance = await services.limits.rates.take(organization, cost - taken)
  if (allowance.allowed) return void reply.headers(rateLimitHeaders(allowance))
  reply.headers(rateLimitHeaders(await services.limits.rates.giveBack(organization, taken)))
  throw tooMany(allowance.resetSeconds)
}
