import type { StatusChange } from '../../database/tables/json-columns.ts'
import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { profileIds } from '../profiles/resource.ts'
import { availableActions } from './lifecycle/availability.ts'
import { deliveryOf } from './lifecycle/delivery.ts'
import type { LifecycleFacts } from './lifecycle/lifecycle.ts'
import type { Status, StatusCause } from './lifecycle/transitions.ts'
import { campaignIds, readCampaigns } from './resource.ts'
import { Campaign } from './schema.ts'

const approver = 'usr_01m7yk4mymeh7t7mzyy7x8k9mq'
const madeAt = '2026-11-21T09:00:00.000Z'
const now = '2026-11-21T09:30:00.000Z'
const startAt = '2026-12-01T00:00:00.000Z'

/** Facts of the example campaign, with no obstacles. */
const factsIn = (status: Status, start: string | null): LifecycleFacts => ({
  status,
  statusBeforeArchive: status === 'archived' ? 'completed' : null,
  statusBeforeReview: status === 'pending_review' ? 'draft' : null,
  approval: status === 'pending_review' ? 'missing' : 'not_asked',
  usesApprovals: status === 'pending_review',
  startAt: start,
  endAt: null,
  schedule: [],
  timeZone: 'UTC',
  obstacles: [],
  stoppedBy: [],
  inNetwork: [],
  deniedAs: [],
  toPropose: [],
  isOwnSubmission: false,
})

const causeOf: Readonly<Record<Status, StatusCause | null>> = {
  draft: null,
  pending_review: 'submit',
  scheduled: 'launch',
  active: 'launch',
  paused: 'pause',
  completed: 'complete',
  archived: 'archive',
}

function changeTo(status: Status): StatusChange | null {
  const action = causeOf[status]
  const by = { type: 'user' as const, id: exampleId(userIds), name: 'Ada Lovelace' }
  return action && { action, at: now, by, reason: null, change_set_id: null }
}

/** The example campaign in this status. */
function exampleIn(status: Status, more: Partial<Campaign> = {}): Campaign {
  const facts = factsIn(status, more.start_at ?? null)
  return {
    id: exampleId(campaignIds),
    name: 'Spring Sale 2026',
    objective: 'sales',
    profile_id: exampleId(profileIds),
    daily_budget: 33.51,
    currency: 'USD',
    status,
    status_reason: null,
    status_change: changeTo(status),
    delivery: deliveryOf(facts, now),
    deployment: null,
    available_actions: availableActions(facts),
    daily_budget_minor: 3351,
    lifetime_budget: null,
    lifetime_budget_minor: null,
    currency_exponent: 2,
    start_at: null,
    end_at: null,
    time_zone: 'UTC',
    schedule: [],
    external_id: 'crm-4711',
    labels: ['spring'],
    metadata: {},
    notes: null,
    target: null,
    review: null,
    approved: null,
    template_id: null,
    template_version: null,
    launched_at: null,
    completed_at: null,
    archived_at: null,
    version: 2,
    created_at: madeAt,
    updated_at: now,
    created_by: exampleId(userIds),
    updated_by: exampleId(userIds),
    ...more,
  }
}

const launched = { launched_at: now }
const review = {
  state: 'pending' as const,
  status_before: 'draft' as const,
  submitted_by: exampleId(userIds),
  submitted_at: madeAt,
  decided_by: null,
  decided_at: null,
  reason: null,
}
const decided = { decided_by: approver, decided_at: now }
const approved = {
  objective: 'sales' as const,
  profile_id: exampleId(profileIds),
  currency: 'USD',
  daily_budget_minor: 3351,
  lifetime_budget_minor: null,
  start_at: null,
  end_at: null,
  time_zone: 'UTC',
  schedule: [],
  by: approver,
  at: now,
}
const rejected = { ...review, ...decided, state: 'rejected' as const, reason: 'Wrong account' }
const completed = { launched_at: madeAt, completed_at: madeAt }

export const campaignEvents: EventTypes = {
  resource: 'campaign',
  permission: readCampaigns,
  schema: Campaign,
  types: {
    'campaign.created': {
      description: 'A campaign was created as a draft.',
      object: exampleIn('draft', { version: 1, updated_at: madeAt }),
      previous: null,
    },
    'campaign.updated': {
      description: 'Fields of a campaign changed.',
      object: exampleIn('active', { ...launched, daily_budget: 40, daily_budget_minor: 4000 }),
      previous: { daily_budget: 33.51, daily_budget_minor: 3351 },
    },
    'campaign.activated': {
      description: 'A campaign became active.',
      object: exampleIn('active', launched),
      previous: { status: 'draft', launched_at: null },
    },
    'campaign.scheduled': {
      description: 'A campaign was launched and starts at `start_at`.',
      object: exampleIn('scheduled', { ...launched, start_at: startAt }),
      previous: { status: 'draft', launched_at: null },
    },
    'campaign.submitted': {
      description: 'A campaign was submitted for approval.',
      object: exampleIn('pending_review', { review: { ...review, submitted_at: now } }),
      previous: { status: 'draft', review: null },
    },
    'campaign.approved': {
      description: 'A submitted campaign was approved; it is now active or scheduled.',
      object: exampleIn('active', {
        ...launched,
        review: { ...review, ...decided, state: 'approved' },
        approved,
      }),
      previous: { status: 'pending_review', review, approved: null, launched_at: null },
    },
    'campaign.rejected': {
      description: 'A submitted campaign was rejected; `review.reason` says why.',
      object: exampleIn('draft', { review: rejected }),
      previous: { status: 'pending_review', review },
    },
    'campaign.withdrawn': {
      description: 'A submission was withdrawn.',
      object: exampleIn('draft', { review: { ...review, ...decided, state: 'withdrawn' } }),
      previous: { status: 'pending_review', review },
    },
    'campaign.unscheduled': {
      description: 'A scheduled campaign went back to draft.',
      object: exampleIn('draft', { start_at: startAt }),
      previous: { status: 'scheduled', launched_at: madeAt },
    },
    'campaign.paused': {
      description: 'A campaign was paused. `status_reason` says why if the service did it.',
      object: exampleIn('paused', { launched_at: madeAt }),
      previous: { status: 'active' },
    },
    'campaign.resumed': {
      description: 'A paused campaign was resumed; it is active or scheduled.',
      object: exampleIn('active', { launched_at: madeAt }),
      previous: { status: 'paused' },
    },
    'campaign.completed': {
      description: 'A campaign was completed.',
      object: exampleIn('completed', { launched_at: madeAt, completed_at: now }),
      previous: { status: 'active', completed_at: null },
    },
    'campaign.archived': {
      description: 'A campaign was archived.',
      object: exampleIn('archived', { ...completed, archived_at: now }),
      previous: { status: 'completed', archived_at: null },
    },
    'campaign.unarchived': {
      description: 'A campaign was unarchived and has its former status.',
      object: exampleIn('completed', completed),
      previous: { status: 'archived', archived_at: madeAt },
    },
    'campaign.deleted': {
      description: 'A campaign was deleted. The object is its last state.',
      object: exampleIn('draft'),
      previous: null,
    },
  },
}
