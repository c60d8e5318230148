/** A small, slow second implementation of guardrails and approvals, to compare the service with. */

import {
  type Actor,
  type Answer,
  type Asked,
  amountOf,
  at,
  breachOf,
  type Campaign,
  changeBreaches,
  isRunning,
  letPast,
  type Model,
  ownBreaches,
  profileBreach,
  type Rules,
  running,
} from './guardrail-breaches.ts'
import { costOf, covers, isRaise, type Plan } from './guardrail-plans.ts'

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

const ok: Answer = { code: 'ok' }
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

const isAsked = ({ approval }: Rules, plan: Plan) =>
  approval === 'always' || (typeof approval === 'object' && amountOf(plan) > approval.above)

const lacksApproval = ({ rules, now }: Model, plan: Plan, approved: Plan | null) =>
  isAsked(rules, plan) && (approved === null || !covers(approved, plan, now))

/** Takes the action, or answers why not. */
export function take(model: Model, action: Action, asked: Asked): Answer {
  const campaign = at(model.campaigns, asked.at)
  if (asked.naming === 'other') return { code: 'version_mismatch' }
  if (ways[action].there.includes(campaign.status)) return ok
  const refusal = actionRefusal(model, action, asked)
  if (refusal) return refusal
  if (!startsRunning(action)) {
    move(campaign, action, { model, actor: asked.actor })
    return ok
  }
  const cost = costOf(campaign.plan, model.now)
  const breaches = [
    ...profileBreach(model, asked.at, cost),
    ...ownBreaches(model.rules, campaign.plan, cost),
  ]
  const blocked = breachOf(breaches, asked)
  if (blocked) return blocked
  letPast(campaign, breaches)
  move(campaign, action, { model, actor: asked.actor })
  campaign.counted = cost
  return ok
}

const startsRunning = (action: Action) => ['launch', 'resume', 'approve'].includes(action)

function actionRefusal(model: Model, action: Action, asked: Asked): Answer | undefined {
  const { rules, now } = model
  const campaign = at(model.campaigns, asked.at)
  const { status, approved, plan } = campaign
  const isJudging = action === 'approve' || action === 'reject'
  if (isJudging && !rules.approvers.includes(asked.actor.role)) return { code: 'insufficient_role' }
  if (action === 'approve' && asked.naming !== 'present') return { code: 'precondition_required' }
  if (!ways[action].from.includes(status)) return { code: 'invalid_state_transition' }
  const needsApproval = action === 'launch' || action === 'resume'
  if (needsApproval && lacksApproval(model, plan, approved)) return { code: 'approval_required' }
  if (action === 'submit' && !isAsked(rules, plan)) return { code: 'invalid_state_transition' }
  const forbidden = submitterRefusal(campaign, action, asked.actor)
  if (forbidden) return forbidden
  const isOver = plan.end !== null && plan.end <= now
  return startsRunning(action) && isOver ? { code: 'launch_blocked' } : undefined
}

function submitterRefusal({ submission }: Campaign, action: Action, { id, role }: Actor) {
  const isOwn = submission?.by === id
  if (action === 'approve' && isOwn) return { code: 'self_approval_forbidden' }
  if (action === 'withdraw' && !isOwn && role === 'editor') return { code: 'insufficient_role' }
  return undefined
}

type Surroundings = { model: Model; actor: Actor }

function move(campaign: Campaign, action: Action, { model, actor }: Surroundings): void {
  const from = campaign.status
  if (action === 'submit') campaign.submission = { by: actor.id, from }
  if (action === 'approve') campaign.approved = campaign.plan
  if (action === 'archive') campaign.archivedFrom = from
  campaign.status = targetOf(campaign, action, model.now)
  if (isRunning(campaign)) campaign.launchedAt ??= model.now
  if (action === 'unschedule') campaign.launchedAt = null
}

function targetOf(campaign: Campaign, action: Action, now: number): string {
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
  return target[action] ?? ((campaign.plan.start ?? 0) > now ? 'scheduled' : 'active')
}

/** Makes the change, or answers why not. */
export function alter(model: Model, change: Partial<Plan>, asked: Asked): Answer {
  const campaign = at(model.campaigns, asked.at)
  const { plan, approved } = campaign
  const next: Plan = { ...plan, ...change }
  if (asked.naming === 'other') return { code: 'version_mismatch' }
  if (isInvalid(model, campaign, next)) return { code: 'validation_failed' }
  if (changed(plan, next).length === 0) return ok
  const isOther = plan.objective !== next.objective || plan.zone !== next.zone
  const isBeyond = isRunning(campaign) && !covers(plan, next, model.now)
  if (isBeyond && lacksApproval(model, next, isOther ? null : approved)) {
    return { code: 'approval_required' }
  }
  const breaches = changeBreaches(model, asked.at, next)
  const blocked = breachOf(breaches, asked)
  if (blocked) return blocked
  if (isOther) Object.assign(campaign, { approved: null, passed: {} })
  if (isRunning(campaign)) {
    const cost = costOf(next, model.now)
    campaign.counted = isRaise(campaign, next, model.now) ? cost : Math.min(campaign.counted, cost)
  }
  campaign.plan = next
  campaign.plans.push({ at: model.now, plan: next })
  letPast(campaign, breaches)
  return ok
}

const changed = (one: Plan, other: Plan): (keyof Plan)[] =>
  (Object.keys(one) as (keyof Plan)[]).filter((field) => one[field] !== other[field])

const editable: Record<string, readonly (keyof Plan)[]> = {
  draft: ['daily', 'lifetime', 'start', 'end', 'schedule', 'objective', 'zone'],
  scheduled: ['daily', 'lifetime', 'start', 'end', 'schedule'],
  active: ['daily', 'lifetime', 'end', 'schedule'],
  paused: ['daily', 'lifetime', 'start', 'end', 'schedule'],
}

function isInvalid({ now }: Model, { status, plan, launchedAt }: Campaign, next: Plan): boolean {
  const fields = changed(plan, next)
  const { daily, lifetime, start, end } = next
  const hasStarted = launchedAt !== null && (plan.start ?? 0) <= now
  return (
    fields.some((field) => !editable[status]?.includes(field)) ||
    (fields.includes('start') && hasStarted) ||
    (fields.includes('end') && end !== null && end <= now) ||
    (daily === null && lifetime === null) ||
    (daily !== null && lifetime !== null && lifetime < daily) ||
    (start !== null && end !== null && end <= start) ||
    (status === 'scheduled' && start === null)
  )
}

/** Does all due work: ends first, then starts. */
export function pass(model: Model): void {
  for (const campaign of model.campaigns) {
    const { plan, status, passed } = campaign
    const isLive = isRunning(campaign) || status === 'paused'
    if (isLive && plan.end !== null && plan.end <= model.now) campaign.status = 'completed'
    else if (status === 'scheduled' && (plan.start ?? 0) <= model.now) {
      const breaches = ownBreaches(model.rules, plan, costOf(plan, plan.start ?? model.now))
      const isOver = breaches.some(([rule, requested]) => requested > (passed[rule] ?? 0))
      campaign.status = isOver ? 'paused' : 'active'
    }
  }
}
