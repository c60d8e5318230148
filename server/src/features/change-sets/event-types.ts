import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { campaignIds, readCampaigns } from '../campaigns/resource.ts'
import { userIds } from '../members/resource.ts'
import { changeSetIds } from './resource.ts'
import { ChangeSet } from './schema.ts'
import { availableActions } from './status.ts'

const madeAt = '2026-11-21T09:00:00.000Z'
const now = '2026-11-21T09:30:00.000Z'
const friday = '2026-11-27T00:00:00.000Z'
const approver = 'usr_01m7yk4mymeh7t7mzyy7x8k9mq'

function exampleOf(more: Partial<ChangeSet> = {}): ChangeSet {
  const example: ChangeSet = {
    id: exampleId(changeSetIds),
    title: 'Weekend sale',
    description: null,
    source: { kind: 'console', reference: null },
    mode: 'atomic',
    status: 'open',
    operation_count: 1,
    summary: { create: 0, update: 1, action: 0, delete: 0, unchanged: 0, failed: 0 },
    spend_delta: [
      {
        currency: 'USD',
        currency_exponent: 2,
        daily_before_minor: 3351,
        daily_after_minor: 10_000,
        lifetime_before_minor: 0,
        lifetime_after_minor: 0,
      },
    ],
    approval: { required: true, approver_roles: ['owner', 'admin'], reasons: ['raises'] },
    applicable: true,
    stale: [],
    tried_at: madeAt,
    expires_at: '2026-11-24T09:00:00.000Z',
    apply_at: null,
    revert_at: null,
    approved_by: null,
    approved_at: null,
    rejected_by: null,
    rejected_reason: null,
    applied_by: null,
    applied_at: null,
    reverted_at: null,
    failure: null,
    available_actions: [],
    version: 2,
    created_at: madeAt,
    updated_at: now,
    created_by: exampleId(userIds),
    updated_by: exampleId(userIds),
    ...more,
  }
  const { approval, applicable, ...others } = example
  const facts = { ...others, applicable, approval_required: approval.required }
  return { ...example, available_actions: availableActions(facts, null) }
}

const approved = { approved_by: approver, approved_at: now, updated_by: approver }
const timed = { apply_at: friday, expires_at: '2026-11-27T01:00:00.000Z' }
const applied = { ...approved, applied_by: exampleId(userIds), applied_at: now }
const reverted = { ...applied, ...timed, revert_at: '2026-11-30T00:00:00.000Z' }
const stale = [
  {
    index: 0,
    resource: 'campaign',
    id: exampleId(campaignIds),
    version_seen: 3,
    current_version: 4,
    changed_by: approver,
    changed_at: now,
  },
]

const open = { status: 'open' }

const type = (description: string, object: ChangeSet, previous: object | null = open) => ({
  description,
  object,
  previous,
})

export const changeSetEvents: EventTypes = {
  resource: 'change_set',
  permission: readCampaigns,
  schema: ChangeSet,
  types: {
    'change_set.created': type(
      'A change set was proposed.',
      exampleOf({ version: 1, updated_at: madeAt }),
      null,
    ),
    'change_set.updated': type(
      'Title, description or times of a change set changed.',
      exampleOf({ description: 'Agreed with sales.' }),
      { description: null },
    ),
    'change_set.refreshed': type(
      'A change set was tried out again. An approval is void if anything differs.',
      exampleOf({ tried_at: now }),
      { tried_at: madeAt },
    ),
    'change_set.approved': type(
      'A change set was approved. With `apply_at` it now waits for its time.',
      exampleOf({ status: 'approved', ...approved }),
    ),
    'change_set.rejected': type(
      'A change set was rejected.',
      exampleOf({ status: 'rejected', rejected_by: approver, rejected_reason: 'Not this month' }),
    ),
    'change_set.cancelled': type('A change set was cancelled.', exampleOf({ status: 'cancelled' })),
    'change_set.scheduled': type(
      'A change set was given a time, and waits for it.',
      exampleOf({ status: 'scheduled', ...approved, ...timed }),
    ),
    'change_set.applied': type(
      'A change set was applied. The changes of its objects have events of their own.',
      exampleOf({ status: 'applied', ...applied }),
      { status: 'approved' },
    ),
    'change_set.reverted': type(
      'What a change set changed was set back at its time; `failure` says why something was left.',
      exampleOf({ status: 'reverted', ...reverted, reverted_at: reverted.revert_at }),
      { status: 'applied' },
    ),
    'change_set.failed': type(
      'A change set could not be applied at its time; `stale` and `failure` say why.',
      exampleOf({
        status: 'failed',
        ...timed,
        stale,
        failure: { code: 'change_set_stale', detail: 'Its objects have changed.' },
      }),
      { status: 'scheduled' },
    ),
    'change_set.expired': type(
      'A change set was not applied in time.',
      exampleOf({ status: 'expired' }),
    ),
  },
}
