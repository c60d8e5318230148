import { type Context, nowIn } from '../../../kernel/context.ts'
import { names } from '../../../query/fields.ts'
import type { Query } from '../../../query/list.ts'
import { choice } from '../../../schema/fields.ts'
import { performanceBoundIn } from '../../guardrails/rules.ts'
import { dayIn } from '../../results/calendar.ts'
import { guardrailsOf } from '../guardrails/of-organization.ts'
import type { StoredCampaign } from '../present.ts'
import { performanceOf } from './judge.ts'
import { reportedIn } from './reported.ts'
import type { Performance } from './schema.ts'
import { statusesBefore, windowOf } from './stored.ts'

export const includeParameter = {
  include: choice(['performance'], {
    description:
      'Adds `performance`, the results beside the target, which `fields` may name as well.',
  }),
}

/** Whether `performance` is asked for: nothing is read for it otherwise. */
export const asksPerformance = (query: Query): boolean =>
  names(query, 'performance') || (query.include !== undefined && query.fields === undefined)

type Judged = Pick<StoredCampaign, 'id' | 'target' | 'time_zone' | 'currency_exponent'>

/** Adds how the campaigns perform; null for those without a target. */
export async function withPerformance<Shown extends Judged>(
  ctx: Context,
  campaigns: readonly Shown[],
): Promise<(Shown & { performance: Performance | null })[]> {
  const found = await performancesOf(ctx, campaigns)
  return campaigns.map((campaign) => ({
    ...campaign,
    performance: found.get(campaign.id) ?? null,
  }))
}

async function performancesOf(
  ctx: Context,
  campaigns: readonly Judged[],
): Promise<Map<string, Performance>> {
  const todayIn = dayIn(nowIn(ctx))
  const asked = campaigns.flatMap(({ id, target, time_zone, currency_exponent }) =>
    target === null ? [] : [{ id, target, exponent: currency_exponent, today: todayIn(time_zone) }],
  )
  if (asked.length === 0) return new Map()
  const [reported, guardrails, before] = await Promise.all([
    reportedIn(
      ctx,
      asked.map(({ id, target, today }) => ({ id, ...windowOf(target.window_days, today) })),
    ),
    guardrailsOf(ctx),
    statusesBefore(ctx, asked),
  ])
  const bound = performanceBoundIn(guardrails)
  return new Map(
    asked.map(({ id, target, exponent, today }, at) => {
      const window = windowOf(target.window_days, today)
      const judging = { target, exponent, window, reported: reported[at], bound }
      return [id, performanceOf({ ...judging, before: before.get(id) ?? null })]
    }),
  )
}
