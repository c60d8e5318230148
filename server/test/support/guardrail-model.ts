/** The contract's rules of guardrails and approvals once more, small and slow, to hold the service against. */

export type Role = 'owner' | 'admin' | 'editor'
export type Actor = { id: string; role: Role }

export const actions = [
  'launch',
  'submit',
  'approve',
  'reject',
  'withdraw',
  'unschedule',
  'pause',
  'resume',
  'complete',
  'archive',
  'unarchive',
] as const
export type Action = (typeof actions)[number]

/** Amounts in whole major units; null is none. */
export type Rules = {
  most: number | null
  percent: number | null
  dayPercent: number | null
  approval: 'never' | 'always' | { above: number }
  approvers: readonly Role[]
  profileCap: number | null
}

export type Plan = { daily: number; end: string | null }
export type Campaign = Plan & {
  status: string
  startsLater: boolean
  archivedFrom: string
  submission: { by: string; from: string } | null
  approved: Plan | null
  launchedAt: number | null
  budgets: { at: number; daily: number }[]
}
export type Model = { rules: Rules; campaigns: Campaign[]; now: number }

/** What the service should answer: a problem's code, or `ok`; for a breach, any of these rules. */
export type Answer = { code: string; rules?: string[] }

export type Asked = { actor: Actor; at: number; override: boolean }

const ok: Answer = { code: 'ok' }
const running = ['scheduled', 'active']

type Way = { from: string[]; there: string[] }
const ways: Record<Action, Way> = {
  launch: { from: ['draft'], there: running },
  submit: { from: ['draft', 'paused'], there: [] },
  approve: { from: ['pending_review'], there: [] },
  reject: { from: ['pending_review'], there: [] },
  withdraw: { from: ['pending_review'], there: [] },
  unschedule: { from: ['scheduled'], there: ['draft'] },
  pause: { from: running, there: ['paused'] },
  resume: { from: ['paused'], there: running },
  complete: { from: [...running, 'paused'], there: ['completed'] },
  archive: { from: ['draft', 'paused', 'completed'], there: ['archived'] },
  unarchive: { from: ['archived'], there: [] },
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

const isAsked = ({ approval }: Rules, { daily }: Plan) =>
  approval === 'always' || (typeof approval === 'object' && daily > approval.above)

const isLater = (one: string | null, other: string | null) =>
  other !== null && (one === null || one > other)
const exceeds = (one: Plan, other: Plan) => one.daily > other.daily || isLater(one.end, other.end)

const lacksApproval = (rules: Rules, plan: Plan, approved: Plan | null) =>
  isAsked(rules, plan) && (approved === null || exceeds(plan, approved))

/** Takes the action, or says why not. */
export function take(model: Model, action: Action, asked: Asked): Answer {
  const campaign = at(model.campaigns, asked.at)
  const refusal = actionRefusal(model, action, asked)
  if (refusal) return refusal
  if (ways[action].there.includes(campaign.status)) return ok
  move(campaign, action, { model, actor: asked.actor })
  return ok
}

function actionRefusal(model: Model, action: Action, asked: Asked): Answer | undefined {
  const { rules } = model
  const campaign = at(model.campaigns, asked.at)
  const { status, approved } = campaign
  const { from, there } = ways[action]
  if (there.includes(status)) return undefined
  const isJudging = action === 'approve' || action === 'reject'
  if (isJudging && !rules.approvers.includes(asked.actor.role)) return { code: 'insufficient_role' }
  if (!from.includes(status)) return { code: 'invalid_state_transition' }
  const starts = action === 'launch' || action === 'resume'
  if (starts && lacksApproval(rules, campaign, approved)) return { code: 'approval_required' }
  if (action === 'submit' && !isAsked(rules, campaign)) return { code: 'invalid_state_transition' }
  const forbidden = submitterRefusal(campaign, action, asked.actor)
  if (forbidden) return forbidden
  return starts || action === 'approve'
    ? breachOf(
        [...capBreaches(rules, campaign), ...profileBreaches(model, asked.at, campaign)],
        asked,
      )
    : undefined
}

function submitterRefusal({ submission }: Campaign, action: Action, { id, role }: Actor) {
  const isOwn = submission?.by === id
  if (action === 'approve' && isOwn) return { code: 'self_approval_forbidden' }
  if (action === 'withdraw' && !isOwn && role === 'editor') return { code: 'insufficient_role' }
  return undefined
}

type Scene = { model: Model; actor: Actor }

function move(campaign: Campaign, action: Action, { model, actor }: Scene): void {
  const from = campaign.status
  const { daily, end } = campaign
  if (action === 'submit') campaign.submission = { by: actor.id, from }
  if (action === 'approve') campaign.approved = { daily, end }
  if (action === 'archive') campaign.archivedFrom = from
  campaign.status = targetOf(campaign, action)
  if (running.includes(campaign.status)) campaign.launchedAt ??= model.now
  if (action === 'unschedule') campaign.launchedAt = null
}

function targetOf(campaign: Campaign, action: Action): string {
  const target: Partial<Record<Action, string>> = {
    submit: 'pending_review',
    reject: campaign.submission?.from ?? '',
    withdraw: campaign.submission?.from ?? '',
    unschedule: 'draft',
    pause: 'paused',
    complete: 'completed',
    archive: 'archived',
    unarchive: campaign.archivedFrom,
  }
  return target[action] ?? (campaign.startsLater ? 'scheduled' : 'active')
}

/** Makes the change, or says why not. */
export function alter(model: Model, change: Partial<Plan>, asked: Asked): Answer {
  const campaign = at(model.campaigns, asked.at)
  const { status, daily, end, approved } = campaign
  const next = { daily, end, ...change }
  if (next.daily === daily && next.end === end) return ok
  if (!['draft', ...running, 'paused'].includes(status)) return { code: 'validation_failed' }
  const isMore = exceeds(next, campaign)
  if (running.includes(status) && isMore && lacksApproval(model.rules, next, approved)) {
    return { code: 'approval_required' }
  }
  const breaches = next.daily === daily ? [] : budgetBreaches(model, asked.at, next)
  const refusal = breachOf(breaches, asked)
  if (refusal) return refusal
  Object.assign(campaign, next)
  campaign.budgets.push({ at: model.now, daily: next.daily })
  return ok
}

function budgetBreaches(model: Model, index: number, next: Plan): string[] {
  const campaign = at(model.campaigns, index)
  const caps = capBreaches(model.rules, next)
  if (next.daily <= campaign.daily) return caps
  const isRunning = running.includes(campaign.status)
  return [
    ...caps,
    ...(isRunning ? profileBreaches(model, index, next) : []),
    ...(isRunning || campaign.status === 'paused' ? increaseBreaches(model, campaign, next) : []),
  ]
}

const capBreaches = ({ most }: Rules, { daily }: Plan) =>
  most !== null && daily > most ? ['max_daily_budget'] : []

function profileBreaches({ rules, campaigns }: Model, index: number, { daily }: Plan): string[] {
  const others = campaigns.filter((each, at) => at !== index && running.includes(each.status))
  const sum = others.reduce((sum, each) => sum + each.daily, daily)
  return rules.profileCap !== null && sum > rules.profileCap ? ['profile_daily_budget_cap'] : []
}

function increaseBreaches({ rules, now }: Model, campaign: Campaign, { daily }: Plan): string[] {
  const since = Math.max(now - 86_400_000, campaign.launchedAt ?? now)
  const then = campaign.budgets.findLast((each) => each.at <= since)?.daily ?? campaign.daily
  const isBeyond = (base: number, percent: number | null) =>
    percent !== null && daily * 100 > base * (100 + percent)
  return [
    ...(isBeyond(campaign.daily, rules.percent) ? ['max_increase_percent'] : []),
    ...(isBeyond(then, rules.dayPercent) ? ['max_increase_percent_24h'] : []),
  ]
}

function breachOf(rules: string[], { actor, override }: Asked): Answer | undefined {
  const isFirm = rules.includes('profile_daily_budget_cap')
  const isLetThrough = override && actor.role !== 'editor' && !isFirm
  return rules.length === 0 || isLetThrough ? undefined : { code: 'guardrail_violation', rules }
}
