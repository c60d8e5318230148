/** The lifecycle of a campaign: pure, and the only place that knows it. */

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
] as const
export type Reason = (typeof reasons)[number]

type Target = Status | 'running' | 'former'

type Transition = {
  action: Action
  summary: string
  from: readonly Status[]
  /** `running`: scheduled while start_at is ahead, else active. `former`: what it was before. */
  to: Target
  /** Whether what a campaign needs to run is checked first. */
  checked: boolean
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
    events: { active: 'campaign.activated', scheduled: 'campaign.scheduled' },
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

/** Every type of event that campaigns tell. */
export const campaignEvents: readonly string[] = [
  'campaign.created',
  'campaign.updated',
  ...new Set(transitions.flatMap(({ events }) => Object.values(events))),
  'campaign.deleted',
]

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
  startAt: string | null
  endAt: string | null
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
  return to
}

const landsIn: Record<Target, readonly Status[]> = {
  running: ['scheduled', 'active'],
  former: [],
  draft: ['draft'],
  pending_review: ['pending_review'],
  scheduled: ['scheduled'],
  active: ['active'],
  paused: ['paused'],
  completed: ['completed'],
  archived: ['archived'],
}

/** The campaign already is where the action leads: it succeeds and changes nothing. */
export const isThere = ({ to }: Transition, status: Status): boolean => landsIn[to].includes(status)

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

const reasonOfStatus: Record<Status, Reason | null> = {
  draft: 'not_launched',
  pending_review: 'pending_review',
  scheduled: 'before_start',
  active: null,
  paused: 'paused',
  completed: 'completed',
  archived: 'archived',
}

export type Delivery = { state: 'eligible' | 'not_eligible'; reasons: Reason[] }

/** Whether the campaign may deliver at this instant, and if not, every reason why. */
export function deliveryOf(facts: Facts, now: string): Delivery {
  const hasBegun = facts.status === 'scheduled' && (facts.startAt ?? '') <= now
  const own = hasBegun ? null : reasonOfStatus[facts.status]
  const isLive = facts.status === 'active' || facts.status === 'scheduled'
  const outer = isLive
    ? obstacles(facts, now).filter((reason) => reason !== 'currency_mismatch')
    : []
  const found = own ? [own, ...outer] : outer
  return { state: found.length === 0 ? 'eligible' : 'not_eligible', reasons: found }
}

export type AvailableAction = { action: Action; allowed: boolean; blocked_by: Reason[] }

/** Every action: whether it can be taken now, and what keeps it from it. */
export function availableActions(facts: Facts, now: string): AvailableAction[] {
  const inTheWay = obstacles(facts, now)
  const key = `${facts.status} ${inTheWay}`
  const known = knownActions.get(key)
  if (known) return known
  const made = actionsWith(facts.status, inTheWay)
  knownActions.set(key, made)
  return made
}

// There are few combinations, and each campaign of each list has one.
const knownActions = new Map<string, AvailableAction[]>()

function actionsWith(status: Status, inTheWay: Reason[]): AvailableAction[] {
  const own = reasonOfStatus[status]
  return transitions.map(({ action, from, checked }) => {
    if (!from.includes(status)) return { action, allowed: false, blocked_by: own ? [own] : [] }
    const blocked_by = checked ? inTheWay : []
    return { action, allowed: blocked_by.length === 0, blocked_by }
  })
}

/** Names of the actions that lead out of a status. */
export const actionsFrom = (status: Status): Action[] =>
  transitions.filter(({ from }) => from.includes(status)).map(({ action }) => action)

const fieldsByFreedom = {
  /** Words about the campaign: everywhere but in archived. */
  notes: ['labels', 'metadata', 'notes'],
  identity: ['name', 'external_id'],
  plan: ['daily_budget', 'lifetime_budget', 'end_at', 'start_at'],
  foundation: ['objective', 'profile_id', 'currency', 'time_zone'],
} as const

const { notes, identity, plan, foundation } = fieldsByFreedom

/** Fields that may change in each status. */
export const editableIn: Record<Status, readonly string[]> = {
  draft: [...notes, ...identity, ...plan, ...foundation],
  pending_review: notes,
  scheduled: [...notes, ...identity, ...plan],
  active: [...notes, ...identity, ...plan],
  paused: [...notes, ...identity, ...plan],
  completed: notes,
  archived: [],
}
