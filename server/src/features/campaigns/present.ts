import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Holder } from '../../identity/permissions.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { toMajor } from '../../values/money.ts'
import type { Actor } from '../../values/organization.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { startsToPropose } from './guardrails/change-set-rules.ts'
import { availableActions } from './lifecycle/availability.ts'
import { deliveryOf } from './lifecycle/delivery.ts'
import type { LifecycleFacts } from './lifecycle/lifecycle.ts'
import { obstaclesIn } from './lifecycle/obstacles.ts'
import type { Reason } from './lifecycle/transitions.ts'
import { approvalOf, approvedOf, deniedAs } from './review.ts'
import { scheduleOf } from './schedule/dayparting.ts'
import type { Campaign } from './schema.ts'
import { isSpendCapReached } from './spend-cap/reached.ts'

export type Details = Row<'campaign_details'>

/** The inputs of delivery and actions that are not on the row: the time and the caller. */
export type Moment = Holder & {
  readonly now: string
  readonly organization: { status: string }
  readonly actor: Actor
  readonly changeSet?: Context['changeSet']
}

export const momentOf = (ctx: Context): Moment => ({
  now: nowIn(ctx),
  organization: ctx.organization,
  actor: ctx.actor,
  role: ctx.role,
  makerRole: ctx.makerRole,
  agent: ctx.agent,
})

/** A change of status leaves the obstacles as they were before it. */
export const lifecycleFactsOf = (
  row: Details,
  moment: Moment,
  obstacles: LifecycleFacts['obstacles'] = obstaclesOf(row, moment),
): LifecycleFacts => ({
  status: row.status,
  statusBeforeArchive: row.status_before_archive,
  statusBeforeReview: row.review?.status_before ?? null,
  approval: approvalOf(row, moment.now),
  usesApprovals: guardrailsIn(row.guardrails).approval.mode !== 'never',
  startAt: row.start_at,
  endAt: row.end_at,
  schedule: scheduleOf(row),
  timeZone: row.time_zone,
  obstacles,
  inNetwork: networkReasons(row),
  stoppedBy: row.status_reason === 'spend_cap_reached' ? ['spend_cap_reached'] : [],
  deniedAs: deniedAs(row, moment),
  toPropose: startsToPropose(moment, row),
  isOwnSubmission: row.review?.submitted_by === moment.actor.id,
})

const obstaclesOf = (row: Details, { organization, now }: Moment) =>
  obstaclesIn(
    {
      endAt: row.end_at,
      currency: row.currency,
      profileStatus: row.profile_status,
      profileCurrency: row.profile_currency,
      proxyStatus: row.proxy_status,
      organizationStatus: organization.status,
      isSpendCapReached: isSpendCapReached(row, now),
    },
    now,
  )

const hasNoConnector = ({ connector_state }: Pick<Details, 'connector_state'>): boolean =>
  connector_state !== 'connected'

function networkReasons(row: Pick<Details, 'deployment' | 'connector_state'>): Reason[] {
  const { deployment } = row
  if (!deployment || deployment.state === 'removed') return []
  return [
    ...(deployment.not_delivering ? (['network_not_delivering'] as const) : []),
    ...(deployment.state === 'drifted' ? (['network_drift'] as const) : []),
    ...(hasNoConnector(row) ? (['connector_stale'] as const) : []),
  ]
}

function deploymentShown(row: Pick<Details, 'deployment' | 'connector_state'>) {
  if (!row.deployment) return null
  const { state, network_object_id, drift_fields } = row.deployment
  return { state, stale: hasNoConnector(row), network_object_id, drift_fields }
}

/** The fields that are stored: all but those that follow from the moment and the profile. */
export type StoredCampaign = Omit<Campaign, 'delivery' | 'available_actions' | 'deployment'>

/** A row in API form; pass `facts` if they are already derived. */
export const toCampaign = (
  row: Details,
  moment: Moment,
  facts: LifecycleFacts = lifecycleFactsOf(row, moment),
): Campaign => ({
  ...toStoredCampaign(row),
  delivery: deliveryOf(facts, moment.now),
  deployment: deploymentShown(row),
  available_actions: availableActions(facts),
})

export const toStoredCampaign = (row: Row<'campaigns'>): StoredCampaign => ({
  id: row.id,
  name: row.name,
  objective: row.objective,
  profile_id: row.profile_id,
  daily_budget: toMajor(row.daily_budget_minor, row.currency_exponent),
  currency: row.currency,
  status: row.status,
  status_reason: row.status_reason,
  status_change: row.status_change,
  daily_budget_minor: row.daily_budget_minor,
  lifetime_budget: toMajor(row.lifetime_budget_minor, row.currency_exponent),
  lifetime_budget_minor: row.lifetime_budget_minor,
  currency_exponent: row.currency_exponent,
  start_at: row.start_at,
  end_at: row.end_at,
  time_zone: row.time_zone,
  schedule: [...scheduleOf(row)],
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
  target: row.target,
  review: row.review,
  approved: approvedOf(row),
  template_id: row.template_id,
  template_version: row.template_version,
  launched_at: row.launched_at,
  completed_at: row.completed_at,
  archived_at: row.archived_at,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
