import { recordOf } from '../../../values/objects.ts'

/** A campaign's statuses and transitions: the only place that defines them. */

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

/** Causes of a status change: an action, or the clock. */
export const causes = [...actions, 'start'] as const
export type StatusCause = (typeof causes)[number]

/** As an adjective, with its article: "A scheduled campaign". */
export const campaignIn: Readonly<Record<Status, string>> = {
  draft: 'A draft',
  pending_review: 'A campaign in review',
  scheduled: 'A scheduled campaign',
  active: 'An active campaign',
  paused: 'A paused campaign',
  completed: 'A completed campaign',
  archived: 'An archived campaign',
}

/** Reasons why a campaign does not deliver or cannot start. */
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
  'spend_cap_reached',
  'network_not_delivering',
  'network_drift',
  'connector_stale',
] as const
export type Reason = (typeof reasons)[number]

/** Reasons that depend on the caller. */
export const callerReasons = [
  'insufficient_role',
  'self_approval_forbidden',
  'change_set_required',
] as const
export type CallerReason = (typeof callerReasons)[number]

/** Reasons why an action is refused. */
export const blockReasons = [...reasons, ...callerReasons] as const
export type BlockReason = (typeof blockReasons)[number]

export type TargetStatus = Status | 'running' | 'former' | 'unreviewed'

/** The users who may take an action. */
export type Performer = 'writer' | 'approver' | 'submitter'

export type Transition = {
  action: Action
  summary: string
  /** As in "cannot be paused". */
  participle: string
  from: readonly Status[]
  /**
   * `running`: scheduled while start_at is ahead, else active. `former`: the status before
   * archiving; `unreviewed`: the status before submission.
   */
  to: TargetStatus
  /** Whether the preconditions for running are checked first. */
  checked: boolean
  /**
   * `needed`: requires the approval, if the organization asks for one. `asked`: only if it asks for
   * one.
   */
  approval?: 'needed' | 'asked'
  /** The only users who may take it, among those that may write campaigns; omitted: all of them. */
  by?: Exclude<Performer, 'writer'>
  /** The body must carry a reason. */
  takesReason?: true
  /** Requires `If-Match`, so that an approver approves the version they saw. */
  namesVersion?: true
  /** Refused when repeated, instead of succeeding without a change. */
  once?: true
  events: Partial<Record<Status, string>>
}

/** The event of a pause, which the service makes on its own, too. */
export const pausedEvent = 'campaign.paused'

const rules: Readonly<Record<Action, Omit<Transition, 'action'>>> = {
  launch: {
    summary: 'Launch a campaign',
    participle: 'launched',
    from: ['draft'],
    to: 'running',
    checked: true,
    approval: 'needed',
    events: { active: 'campaign.activated', scheduled: 'campaign.scheduled' },
  },
  submit: {
    summary: 'Submit a campaign for approval',
    participle: 'submitted',
    from: ['draft', 'paused'],
    to: 'pending_review',
    checked: false,
    approval: 'asked',
    once: true,
    events: { pending_review: 'campaign.submitted' },
  },
  approve: {
    summary: 'Approve a campaign',
    participle: 'approved',
    from: ['pending_review'],
    to: 'running',
    checked: true,
    by: 'approver',
    namesVersion: true,
    once: true,
    events: { active: 'campaign.approved', scheduled: 'campaign.approved' },
  },
  reject: {
    summary: 'Reject a campaign',
    participle: 'rejected',
    from: ['pending_review'],
    to: 'unreviewed',
    checked: false,
    by: 'approver',
    takesReason: true,
    once: true,
    events: { draft: 'campaign.rejected', paused: 'campaign.rejected' },
  },
  withdraw: {
    summary: 'Withdraw a campaign from review',
    participle: 'withdrawn',
    from: ['pending_review'],
    to: 'unreviewed',
    checked: false,
    by: 'submitter',
    once: true,
    events: { draft: 'campaign.withdrawn', paused: 'campaign.withdrawn' },
  },
  unschedule: {
    summary: 'Unschedule a campaign',
    participle: 'unscheduled',
    from: ['scheduled'],
    to: 'draft',
    checked: false,
    events: { draft: 'campaign.unscheduled' },
  },
  pause: {
    summary: 'Pause a campaign',
    participle: 'paused',
    from: ['scheduled', 'active'],
    to: 'paused',
    checked: false,
    events: { paused: pausedEvent },
  },
  resume: {
    summary: 'Resume a campaign',
    participle: 'resumed',
    from: ['paused'],
    to: 'running',
    checked: true,
    approval: 'needed',
    events: { active: 'campaign.resumed', scheduled: 'campaign.resumed' },
  },
  complete: {
    summary: 'Complete a campaign',
    participle: 'completed',
    from: ['scheduled', 'active', 'paused'],
    to: 'completed',
    checked: false,
    events: { completed: 'campaign.completed' },
  },
  archive: {
    summary: 'Archive a campaign',
    participle: 'archived',
    from: ['draft', 'paused', 'completed'],
    to: 'archived',
    checked: false,
    events: { archived: 'campaign.archived' },
  },
  unarchive: {
    summary: 'Unarchive a campaign',
    participle: 'unarchived',
    from: ['archived'],
    to: 'former',
    checked: false,
    events: {
      draft: 'campaign.unarchived',
      paused: 'campaign.unarchived',
      completed: 'campaign.unarchived',
    },
  },
}

const byAction = recordOf(actions, (action): Transition => ({ action, ...rules[action] }))

export const transitionOf = (action: Action): Transition => byAction[action]

/** Drives transitions, available actions, the docs and /reference/campaign_states. */
export const transitions: readonly Transition[] = actions.map(transitionOf)

/** Transitions that happen at a time set on the campaign. The first that applies is taken. */
export const timedTransitions = [
  {
    at: 'end_at',
    cause: 'complete',
    summary: 'Complete the campaign at end_at',
    from: ['scheduled', 'active', 'paused'],
    to: 'completed',
    checked: false,
    event: 'campaign.completed',
  },
  {
    at: 'start_at',
    cause: 'start',
    summary: 'Start the campaign at start_at; if a check fails, pause it with the reason',
    from: ['scheduled'],
    to: 'active',
    checked: true,
    event: 'campaign.activated',
  },
] as const satisfies readonly TimedTransition[]

export type TimedTransition = {
  at: 'start_at' | 'end_at'
  /** How `status_change` names it. */
  cause: StatusCause
  summary: string
  from: readonly Status[]
  to: Status
  checked: boolean
  event: string
}

export const deletableIn: readonly Status[] = ['draft', 'paused', 'completed', 'archived']
