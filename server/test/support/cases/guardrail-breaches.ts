/** Finds changes that break the guardrails, on the state of the model. */

import { type Counted, costOf, dayMs, formerCost, isRaise, type Plan } from './guardrail-plans.ts'

export type Role = 'owner' | 'admin' | 'editor'
export type Actor = { id: string; role: Role }

/** Amounts in cents; null is none. */
export type Rules = {
  most: number | null
  mostLifetime: number | null
  unlisted: 'allow' | 'refuse'
  percent: number | null
  dayPercent: number | null
  approval: 'never' | 'always' | { above: number }
  approvers: readonly Role[]
  profileCap: number | null
}

export type Campaign = Counted & {
  status: string
  archivedFrom: string
  submission: { by: string; from: string } | null
  approved: Plan | null
  launchedAt: number | null
  /** Rules that were overridden and are checked again at the start. */
  passed: Record<string, number>
  plans: { at: number; plan: Plan }[]
}
export type Model = { rules: Rules; campaigns: Campaign[]; now: number }

/** The expected answer: a problem's code, or `ok`; for a breach, any of these rules. */
export type Answer = { code: string; rules?: string[] }

/** The version in the request: none, the present one, or another. */
export type Naming = 'none' | 'present' | 'other' | 'any'
export type Asked = { actor: Actor; at: number; override: boolean; naming: Naming }

export const running = ['scheduled', 'active']
export const isRunning = ({ status }: Campaign): boolean => running.includes(status)

export const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

export const amountOf = ({ daily, lifetime }: Plan) => daily ?? lifetime ?? 0

type Breach = [rule: string, requested: number]

/** Checks new values, and increases of the daily cost. */
export function changeBreaches(model: Model, index: number, next: Plan): Breach[] {
  const campaign = at(model.campaigns, index)
  const { plan } = campaign
  const raises = isRaise(campaign, next, model.now)
  const cost = costOf(next, model.now)
  const setsDaily = raises || plan.daily !== next.daily
  const setsLifetime = plan.lifetime !== next.lifetime
  return [
    ...(raises && isRunning(campaign) ? profileBreach(model, index, cost) : []),
    ...(setsDaily ? dailyBreach(model.rules, cost) : []),
    ...(setsLifetime ? lifetimeBreach(model.rules, next) : []),
    ...(setsDaily || setsLifetime ? unlistedBreach(model.rules, cost) : []),
    ...(raises ? increaseBreaches(model, campaign, next) : []),
  ]
}

export function ownBreaches(rules: Rules, plan: Plan, cost: number): Breach[] {
  return [
    ...dailyBreach(rules, cost),
    ...lifetimeBreach(rules, plan),
    ...unlistedBreach(rules, cost),
  ]
}

const dailyBreach = ({ most }: Rules, cost: number): Breach[] =>
  most !== null && cost > most ? [['max_daily_budget', cost]] : []

const lifetimeBreach = ({ mostLifetime }: Rules, { lifetime }: Plan): Breach[] =>
  mostLifetime !== null && lifetime !== null && lifetime > mostLifetime
    ? [['max_lifetime_budget', lifetime]]
    : []

const unlistedBreach = ({ unlisted, most, mostLifetime }: Rules, cost: number): Breach[] =>
  unlisted === 'refuse' && most === null && mostLifetime === null
    ? [['unlisted_currency', cost]]
    : []

export function profileBreach({ rules, campaigns }: Model, index: number, cost: number): Breach[] {
  const others = campaigns.filter((each, at) => at !== index && isRunning(each))
  const sum = others.reduce((sum, each) => sum + each.counted, cost)
  return rules.profileCap !== null && sum > rules.profileCap
    ? [['profile_daily_budget_cap', sum]]
    : []
}

function increaseBreaches({ rules, now }: Model, campaign: Campaign, next: Plan): Breach[] {
  if (!isRunning(campaign) && campaign.status !== 'paused') return []
  const since = Math.max(now - dayMs, campaign.launchedAt ?? now)
  const then = campaign.plans.findLast((each) => each.at <= since)?.plan ?? campaign.plan
  const measures = [
    ({ plan }: Counted) => amountOf(plan),
    (each: Counted) => formerCost(each, next, now),
  ]
  const isBeyond = (plan: Plan, percent: number | null) =>
    measures.some((measure) => {
      const requested = measure({ ...campaign, plan: next })
      const isMore = requested > measure(campaign)
      const base = measure({ ...campaign, plan })
      return percent !== null && isMore && requested * 100 > base * (100 + percent)
    })
  return [
    ...(isBeyond(campaign.plan, rules.percent) ? ([['max_increase_percent', 0]] as Breach[]) : []),
    ...(isBeyond(then, rules.dayPercent) ? ([['max_increase_percent_24h', 0]] as Breach[]) : []),
  ]
}

export function breachOf(breaches: Breach[], { actor, override }: Asked): Answer | undefined {
  const rules = breaches.map(([rule]) => rule)
  const isFirm = rules.includes('profile_daily_budget_cap')
  const isLetThrough = override && actor.role !== 'editor' && !isFirm
  return rules.length === 0 || isLetThrough ? undefined : { code: 'guardrail_violation', rules }
}

export function letPast(campaign: Campaign, breaches: Breach[]): void {
  const lasting = breaches.filter(([rule]) => !rule.startsWith('max_increase'))
  campaign.passed = { ...campaign.passed, ...Object.fromEntries(lasting) }
}
