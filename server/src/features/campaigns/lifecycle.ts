/** The lifecycle of a campaign: pure, and the only place that knows it. */

import type { ApprovalState } from './approval.ts'
import type { Schedule } from './dayparting.ts'

export const statuses = [
  'draft',
  'pending_review',
  'scheduled',
  'active',
  'paused',
  'completed',
  'archived',
] as const
export type Status = (typeof statuses)[number]

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

/** Why a campaign does not deliver, or may not start. */
export const reasons = [
  'not_launched',
  'pending_review',
  'before_start',
  'outside_schedule',
  'after_end',
  'paused',
  'completed',
  'archived',
  'profile_not_active',
  'proxy_failing',
  'organization_suspended',
  'currency_mismatch',
  'approval_required',
  'approval_not_asked',
  'guardrail_violation',
] as const
export type Reason = (typeof reasons)[number]

type Target = Status | 'running' | 'former' | 'unreviewed'

export type Transition = {
  action: Action
  summary: string
  from: readonly Status[]
  /**
   * `running`: scheduled while start_at is ahead, else active. `former`: what it was before it was
   * archived; `unreviewed`: before it was submitted.
   */
  to: Target
  /** Whether what a campaign needs to run is checked first. */
  checked: boolean
  /** Whether it needs the approval, where one is asked for; or takes place only where one is. */
  approval?: 'needed' | 'asked'
  /** Who of those that may write campaigns; everybody, when left out. */
  by?: 'approver' | 'submitter'
  /** The body says why. */
  takesReason?: true
  /** Where the campaign already is where it leads, it is refused like any other. */
  once?: true
  events: Partial<Record<Status, string>>
}

/** Drives transitions, available actions, the documentation and /reference/campaign_states. */
export const transitions: readonly Transition[] = [
  {
    action: 'launch',
    summary: 'Let a draft run: at once, or from start_at on.',
    from: ['draft'],
    to: 'running',
    checked: true,
    approval: 'needed',
    events: { active: 'campaign.activated', scheduled: 'campaign.scheduled' },
  },
  {
    action: 'submit',
    summary: 'Ask for an approval, where the organization wants one.',
    from: ['draft', 'paused'],
    to: 'pending_review',
    checked: false,
    approval: 'asked',
    once: true,
    events: { pending_review: 'campaign.submitted' },
  },
  {
    action: 'approve',
    summary: 'Let what somebody else has submitted run.',
    from: ['pending_review'],
    to: 'running',
    checked: true,
    by: 'approver',
    once: true,
    events: { active: 'campaign.approved', scheduled: 'campaign.approved' },
  },
  {
    action: 'reject',
    summary: 'Send a submitted campaign back, and say why.',
    from: ['pending_review'],
    to: 'unreviewed',
    checked: false,
    by: 'approver',
    takesReason: true,
    once: true,
    events: { draft: 'campaign.rejected', paused: 'campaign.rejected' },
  },
  {
    action: 'withdraw',
    summary: 'Take a submission back.',
    from: ['pending_review'],
    to: 'unreviewed',
    checked: false,
    by: 'submitter',
    once: true,
    events: { draft: 'campaign.withdrawn', paused: 'campaign.withdrawn' },
  },
  {
    action: 'unschedule',
    summary: 'Take a scheduled campaign back to draft.',
    from: ['scheduled'],
    to: 'draft',
    checked: false,
    events: { draft: 'campaign.unscheduled' },
  },
  {
    action: 'pause',
    summary: 'Stop delivery for now.',
    from: ['scheduled', 'active'],
    to: 'paused',
    checked: false,
    events: { paused: 'campaign.paused' },
  },
  {
    action: 'resume',
    summary: 'Let a paused campaign run again.',
    from: ['paused'],
    to: 'running',
    checked: true,
    approval: 'needed',
    events: { active: 'campaign.resumed', scheduled: 'campaign.resumed' },
  },
  {
    action: 'complete',
    summary: 'End a campaign for good.',
    from: ['scheduled', 'active', 'paused'],
    to: 'completed',
    checked: false,
    events: { completed: 'campaign.completed' },
  },
  {
    action: 'archive',
    summary: 'Put a campaign out of sight.',
    from: ['draft', 'paused', 'completed'],
    to: 'archived',
    checked: false,
    events: { archived: 'campaign.archived' },
  },
  {
    action: 'unarchive',
    summary: 'Bring an archived campaign back to the status it had.',
    from: ['archived'],
    to: 'former',
    checked: false,
    events: {
      draft: 'campaign.unarchived',
      paused: 'campaign.unarchived',
      completed: 'campaign.unarchived',
    },
  },
]

/** What happens by itself, at a time that the campaign names. The first that applies is taken. */
export const timedTransitions = [
  {
    at: 'end_at',
    summary: 'Its time is over.',
    from: ['scheduled', 'active', 'paused'],
    to: 'completed',
    checked: false,
    event: 'campaign.completed',
  },
  {
    at: 'start_at',
    summary: 'Its time has come; where a check fails, it is paused with the reason instead.',
    from: ['scheduled'],
    to: 'active',
    checked: true,
    event: 'campaign.activated',
  },
] as const satisfies readonly TimedTransition[]

type TimedTransition = {
  at: 'start_at' | 'end_at'
  summary: string
  from: readonly Status[]
  to: Status
  checked: boolean
  event: string
}

/** What a campaign's time asks for now, if anything. */
export function dueTransition(facts: Facts, now: string): TimedTransition | undefined {
  const times = { start_at: facts.startAt, end_at: facts.endAt }
  return timedTransitions.find(({ at, from }: TimedTransition) => {
    const time = times[at]
    return time !== null && time <= now && from.includes(facts.status)
  })
}

const byAction = Object.fromEntries(transitions.map((each) => [each.action, each])) as Record<
  Action,
  Transition
>

export const transitionOf = (action: Action): Transition => byAction[action]

export const deletableIn: readonly Status[] = ['draft', 'paused', 'completed', 'archived']

/** What a campaign's lifecycle depends on. Times are RFC 3339 UTC texts, which sort as times do. */
export type Facts = {
  status: Status
  statusBeforeArchive: Status | null
  statusBeforeReview: Status | null
  approval: ApprovalState
  startAt: string | null
  endAt: string | null
  schedule: Schedule
  timeZone: string
  currency: string
  profileStatus: string | null
  profileCurrency: string | null
  proxyStatus: string | null
  organizationStatus: string
}

/** Where the action would lead, from any status. */
export function targetOf({ to }: Transition, facts: Facts, now: string): Status {
  if (to === 'running')
    return facts.startAt !== null && facts.startAt > now ? 'scheduled' : 'active'
  if (to === 'former') return facts.statusBeforeArchive ?? 'draft'
  if (to === 'unreviewed') return facts.statusBeforeReview ?? 'draft'
  return to
}

const landsIn: Record<Target, readonly Status[]> = {
  running: ['scheduled', 'active'],
  former: [],
  unreviewed: [],
  draft: ['draft'],
  pending_review: ['pending_review'],
  scheduled: ['scheduled'],
  active: ['active'],
  paused: ['paused'],
  completed: ['completed'],
  archived: ['archived'],
}

/** The campaign already is where the action leads: it succeeds and changes nothing. */
export const isThere = ({ to, once }: Transition, status: Status): boolean =>
  !once && landsIn[to].includes(status)

/** What outside the campaign's own status keeps it from running. */
export function obstacles(facts: Facts, now: string): Reason[] {
  const { endAt, currency, profileCurrency } = facts
  const found: Reason[] = []
  if (endAt !== null && endAt <= now) found.push('after_end')
  if (facts.profileStatus !== 'active') found.push('profile_not_active')
  if (profileCurrency !== null && profileCurrency !== currency) found.push('currency_mismatch')
  if (facts.proxyStatus === 'failing') found.push('proxy_failing')
  if (facts.organizationStatus !== 'active') found.push('organization_suspended')
  return found
}

/** What of an approval keeps the action from happening. */
export function approvalObstacle(
  { approval: rule }: Transition,
  state: ApprovalState,
): Reason | null {
  if (rule === 'needed' && state === 'missing') return 'approval_required'
  return rule === 'asked' && state === 'not_asked' ? 'approval_not_asked' : null
}

/** Names of the actions that lead out of a status. */
export const actionsFrom = (status: Status, approval: ApprovalState): Action[] =>
  transitions
    .filter((each) => each.from.includes(status) && approvalObstacle(each, approval) === null)
    .map(({ action }) => action)
