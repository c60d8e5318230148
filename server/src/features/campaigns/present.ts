import type { Row } from '../../database/tenant-tables.ts'
import type { Holder } from '../../identity/permissions.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import type { Actor } from '../../values/organization.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { scheduleOf } from './dayparting.ts'
import { availableActions, deliveryOf } from './lifecycle/availability.ts'
import { type Facts, obstaclesIn, type Surroundings } from './lifecycle/lifecycle.ts'
import type { Status } from './lifecycle/transitions.ts'
import { amount } from './normalize.ts'
import type { Objective } from './objectives.ts'
import { approvalOf, approvedOf, deniedAs, reviewOf } from './review.ts'
import type { Campaign } from './schema.ts'

export type Details = Row<'campaign_details'>

/** The inputs of delivery and actions that are not on the row: the time and the caller. */
export type Moment = Holder & {
  readonly now: string
  readonly organization: { status: string }
  readonly actor: Actor
}

export const momentOf = (ctx: Context): Moment => ({
  now: nowIn(ctx),
  organization: ctx.organization,
  actor: ctx.actor,
  role: ctx.role,
  makerRole: ctx.makerRole,
})

export const factsOf = (row: Details, moment: Moment): Facts => ({
  status: row.status,
  statusBeforeArchive: row.status_before_archive as Status | null,
  statusBeforeReview: reviewOf(row)?.status_before ?? null,
  approval: approvalOf(row, moment.now),
  usesApprovals: guardrailsIn(row.guardrails).approval.mode !== 'never',
  startAt: row.start_at,
  endAt: row.end_at,
  schedule: scheduleOf(row),
  timeZone: row.time_zone,
  obstacles: obstaclesIn(surroundingsOf(row, moment), moment.now),
  deniedAs: deniedAs(row, moment),
})

const surroundingsOf = (row: Details, { organization }: Moment): Surroundings => ({
  endAt: row.end_at,
  currency: row.currency,
  profileStatus: row.profile_status,
  profileCurrency: row.profile_currency,
  proxyStatus: row.proxy_status,
  organizationStatus: organization.status,
})

/** A row in API form; pass `facts` if they are already derived. */
export function toCampaign(
  row: Details,
  moment: Moment,
  facts: Facts = factsOf(row, moment),
): Campaign {
  return {
    id: row.id,
    name: row.name,
    objective: row.objective as Objective,
    profile_id: row.profile_id,
    daily_budget: amount(row.daily_budget_minor, row.currency_exponent),
    currency: row.currency,
    status: facts.status,
    status_reason: row.status_reason,
    delivery: deliveryOf(facts, moment.now),
    available_actions: availableActions(facts),
    daily_budget_minor: row.daily_budget_minor,
    lifetime_budget: amount(row.lifetime_budget_minor, row.currency_exponent),
    lifetime_budget_minor: row.lifetime_budget_minor,
    currency_exponent: row.currency_exponent,
    start_at: row.start_at,
    end_at: row.end_at,
    time_zone: row.time_zone,
    schedule: [...facts.schedule],
    external_id: row.external_id,
    labels: row.labels,
    metadata: row.metadata,
    notes: row.notes,
    review: reviewOf(row),
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
  }
}
