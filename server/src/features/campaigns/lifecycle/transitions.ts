/** The statuses of a campaign and the ways between them: tables, and the only place that has them. */

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

/** What can keep an action from being taken. */
export const blockReasons = [...reasons, 'insufficient_role'] as const
export type BlockReason = (typeof blockReasons)[number]

export type Target = Status | 'running' | 'former' | 'unreviewed'

/** Who may take an action. */
export type Performer = 'writer' | 'approver' | 'submitter'

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
  by?: Exclude<Performer, 'writer'>
  /** The body says why. */
  takesReason?: true
  /** The request must name the version: nobody approves what they have not seen. */
  namesVersion?: true
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
    namesVersion: true,
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

export type TimedTransition = {
  at: 'start_at' | 'end_at'
  summary: string
  from: readonly Status[]
  to: Status
  checked: boolean
  event: string
}

export const deletableIn: readonly Status[] = ['draft', 'paused', 'completed', 'archived']
