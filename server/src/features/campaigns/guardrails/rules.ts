/** Finds the guardrails that a campaign, or a change of one, breaks. */

import { whole } from '../../../database/scope/readers.ts'
import type { Overridden } from '../../../database/tables/json-columns.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Fields } from '../../../schema/differences.ts'
import { guardrailsIn, hundredthsOf } from '../../guardrails/rules.ts'
import type { Details } from '../present.ts'
import { type Counted, costBefore, dailyCost, isRaise } from './daily-cost.ts'
import type { GuardrailRule } from './event.ts'
import { planADayAgo } from './spend-24h-ago.ts'

/** Amounts in minor units. */
export type Breach = { rule: GuardrailRule; limit: number; requested: number }

/** A campaign before and after a change, and the request body; `before` is null for a new one. */
export type CampaignChange = { before: Details | null; after: Details; body: Fields }

const launched = new Set(['scheduled', 'active', 'paused'])
const running = new Set(['scheduled', 'active'])

export const isRunning = (row: Details | null): row is Details =>
  row !== null && running.has(row.status)

/** Judges only what the change sets or raises. */
export async function breachesOfChange(
  ctx: WriteContext,
  setting: CampaignChange,
): Promise<Breach[]> {
  const { before, after } = setting
  const cost = dailyCost(after, ctx.now)
  const isOther = before?.currency !== after.currency
  const isMore = before === null || isRaise(before, after, ctx.now)
  const setsDaily =
    isOther || isMore || (!isWayBack(ctx) && before.daily_budget_minor !== after.daily_budget_minor)
  const raised = lifetimeOf(after) - lifetimeOf(before)
  const setsLifetime = isOther || raised > 0 || (!isWayBack(ctx) && raised < 0)
  return [
    isMore && isRunning(before) ? await profileBreach(ctx, after, cost) : undefined,
    setsDaily ? costBreach(after, cost) : undefined,
    setsLifetime ? lifetimeBreach(after) : undefined,
    setsDaily || setsLifetime ? currencyBreach(after, cost) : undefined,
    ...(isMore ? await increaseBreaches(ctx, setting) : []),
  ].filter((each) => each !== undefined)
}

/** Setting a change set back checks only raises: lowering is never refused. */
const isWayBack = ({ changeSet }: WriteContext): boolean => changeSet?.barred !== undefined

const lifetimeOf = (row: Details | null): number => row?.lifetime_budget_minor ?? 0

/** Judges a campaign that is about to run. */
export async function breachesOfRun(
  ctx: WriteContext,
  row: Details,
  cost: number,
): Promise<Breach[]> {
  const profile = await profileBreach(ctx, row, cost)
  return [...(profile ? [profile] : []), ...breachesAlone(row, cost)]
}

/** Checks at the start; overrides granted for the campaign as it is still hold. */
export function startBreach(row: Details, now: string): Breach | undefined {
  const cost = dailyCost(row, row.start_at ?? now)
  const passed = row.overridden ?? {}
  return breachesAlone(row, cost).find(({ rule, requested }) => requested > (passed[rule] ?? 0))
}

const breachesAlone = (row: Details, cost: number): Breach[] =>
  [costBreach(row, cost), lifetimeBreach(row), currencyBreach(row, cost)].filter(
    (each) => each !== undefined,
  )

const lastingRules: readonly GuardrailRule[] = [
  'max_daily_budget',
  'max_lifetime_budget',
  'unlisted_currency',
]

/** The overrides including these breaches; null if none of them is judged again at the start. */
export function passedWith(row: Details, breaches: readonly Breach[]): Overridden | null {
  const lasting = breaches.filter(({ rule }) => lastingRules.includes(rule))
  if (lasting.length === 0) return null
  const added = lasting.map(({ rule, requested }): [string, number] => [rule, requested])
  return { ...row.overridden, ...Object.fromEntries(added) }
}

function costBreach(row: Details, requested: number): Breach | undefined {
  const limit = guardrailsIn(row.guardrails).max_daily_budget[row.currency]
  if (limit === undefined || requested <= limit) return undefined
  return { rule: 'max_daily_budget', limit, requested }
}

function lifetimeBreach(row: Details): Breach | undefined {
  const requested = row.lifetime_budget_minor
  const limit = guardrailsIn(row.guardrails).max_lifetime_budget[row.currency]
  if (requested === null || limit === undefined || requested <= limit) return undefined
  return { rule: 'max_lifetime_budget', limit, requested }
}

function currencyBreach({ guardrails, currency }: Details, requested: number): Breach | undefined {
  const { unlisted_currencies, max_daily_budget, max_lifetime_budget } = guardrailsIn(guardrails)
  const isListed = [max_daily_budget, max_lifetime_budget].some((each) =>
    Object.hasOwn(each, currency),
  )
  if (unlisted_currencies === 'allow' || isListed) return undefined
  return { rule: 'unlisted_currency', limit: 0, requested }
}

const runningSumSql = `
  select coalesce(sum(daily_cost_minor), 0)::bigint as sum from campaigns
  where organization_id = $1 and profile_id = $2 and id <> $3 and status in ('scheduled', 'active')`

/** Exact under concurrency: an organization has one writer at a time. */
async function profileBreach(
  ctx: WriteContext,
  row: Details,
  own: number,
): Promise<Breach | undefined> {
  const { profile_cap_minor: limit } = row
  if (limit === null) return undefined
  const statement = tenantQuery(ctx, runningSumSql, row.profile_id, row.id)
  const [others] = await whole(ctx).reader.query<{ sum: number }>(statement)
  const requested = (others?.sum ?? 0) + own
  return requested > limit ? { rule: 'profile_daily_budget_cap', limit, requested } : undefined
}

/** Two measures of a plan's size; an increase must satisfy both. */
const measuresOf = (after: Details, now: string) => [
  (plan: Counted) => plan.daily_budget_minor ?? plan.lifetime_budget_minor ?? 0,
  (plan: Counted) => costBefore(plan, after, now),
]

async function increaseBreaches(ctx: WriteContext, { before, after }: CampaignChange) {
  if (!before || !launched.has(before.status)) return []
  const { max_increase_percent, max_increase_percent_24h } = guardrailsIn(before.guardrails)
  const dayAgo = max_increase_percent_24h === null ? before : await planADayAgo(ctx, before)
  const raised = measuresOf(after, ctx.now).filter((measure) => measure(after) > measure(before))
  const first = (rule: GuardrailRule, base: Counted, percent: number | null) =>
    raised
      .map((measure) => beyond(measure(base), percent, { rule, requested: measure(after) }))
      .find((each) => each !== undefined)
  return [
    first('max_increase_percent', before, max_increase_percent),
    first('max_increase_percent_24h', dayAgo, max_increase_percent_24h),
  ]
}

function beyond(
  base: number,
  percent: number | null,
  { rule, requested }: Omit<Breach, 'limit'>,
): Breach | undefined {
  if (percent === null) return undefined
  const limit = Number((BigInt(base) * (100_00n + hundredthsOf(percent))) / 100_00n)
  return requested > limit ? { rule, limit, requested } : undefined
}
