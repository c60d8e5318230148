import { hasRoleAmong, lackOfRole, may, type Role, rolesWith } from '../../identity/permissions.ts'
import { recordDenial } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { isSamePerson } from '../../kernel/people.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import { Refusal } from '../../problems/problem.ts'
import { isId } from '../../values/ids.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { type ApprovalState, type Approved, isCovered, isRequired, type Plan } from './approval.ts'
import { scheduleOf } from './dayparting.ts'
import type { Action, Performer, Transition } from './lifecycle/transitions.ts'
import type { Details, Moment } from './present.ts'
import type { Campaign } from './schema.ts'

export type Review = NonNullable<Campaign['review']>

/** Organization policy decides which roles may approve. */
export function checkApprover(ctx: WriteContext, row: Details, { action, by }: Transition): void {
  if (by !== 'approver') return
  const { approver_roles: allowed } = guardrailsIn(row.guardrails)
  if (hasRoleAmong(ctx, allowed)) return
  const detail = lackOfRole(ctx, allowed)
  throw denied(row, { action, code: 'insufficient_role', detail, required_roles: allowed })
}

/** The roles that may approve, without a campaign at hand. */
export async function approverRoles(ctx: Context): Promise<readonly Role[]> {
  const stored = await ctx.reader
    .kysely()
    .selectFrom('guardrails')
    .select('rules')
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()
  return guardrailsIn(stored?.rules ?? null).approver_roles
}

/**
 * Submitters cannot approve their own submission; only the submitter and managers can withdraw it.
 */
export async function checkSubmitter(
  ctx: WriteContext,
  row: Details,
  { action, by }: Transition,
): Promise<void> {
  if (action !== 'approve' && by !== 'submitter') return
  const isOwn = await isSamePerson(ctx, reviewOf(row)?.submitted_by ?? null, ctx.actor.id)
  if (action === 'approve' && isOwn) {
    const detail = 'A submission cannot be approved by the user who made it.'
    throw denied(row, { action, code: 'self_approval_forbidden', detail })
  }
  if (action === 'approve' || isOwn || may(ctx, 'campaigns.withdraw_any')) return
  const required_roles = rolesWith('campaigns.withdraw_any')
  const detail = `It was submitted by another user. ${lackOfRole(ctx, required_roles)}`
  throw denied(row, { action, code: 'insufficient_role', detail, required_roles })
}

const everything: readonly Performer[] = ['writer', 'approver', 'submitter']

/** The performer roles that the caller lacks, as far as the row shows. */
export function deniedAs(row: Details, caller: Moment): readonly Performer[] {
  if (!may(caller, 'campaigns.write')) return everything
  const { approver_roles } = guardrailsIn(row.guardrails)
  return [
    ...(hasRoleAmong(caller, approver_roles) ? [] : ['approver' as const]),
    ...(may(caller, 'campaigns.withdraw_any') || mayBeOwn(row, caller)
      ? []
      : ['submitter' as const]),
  ]
}

/** Who is behind an API key only the database knows: then the action itself decides. */
function mayBeOwn(row: Details, { actor }: Moment): boolean {
  const submitter = reviewOf(row)?.submitted_by ?? null
  return submitter === actor.id || !isId('user', submitter ?? '') || actor.type !== 'user'
}

type Denial = {
  action: Action
  code: ProblemCode
  detail: string
  required_roles?: readonly Role[]
}

const eventOf: Partial<Record<Action, string>> = {
  approve: 'campaign.approved',
  reject: 'campaign.rejected',
  withdraw: 'campaign.withdrawn',
}

const denied = (row: Details, { action, code, detail, ...members }: Denial) =>
  new Refusal<Context>(code, detail, {
    members,
    record: (ctx) => recordDenial(ctx, eventOf[action] ?? `campaign.${action}`, row),
  })

/** The column in API form. */
export const reviewOf = ({ review }: Pick<Details, 'review'>): Review | null =>
  review as Review | null

/** The plan that an approval of the campaign would cover. */
export const planOf = (row: Details): Plan => ({
  objective: row.objective as Plan['objective'],
  profile_id: row.profile_id,
  currency: row.currency,
  daily_budget_minor: row.daily_budget_minor,
  lifetime_budget_minor: row.lifetime_budget_minor,
  start_at: row.start_at,
  end_at: row.end_at,
  time_zone: row.time_zone,
  schedule: [...scheduleOf(row)],
})

/** Approvals in the old format, which covered only a part of the plan, count as none. */
export function approvedOf({ approved }: Pick<Details, 'approved'>): Approved | null {
  const mark = approved as Approved | { objective?: undefined } | null
  return mark?.objective === undefined ? null : mark
}

export function approvalOf(row: Details, now: string): ApprovalState {
  if (!isRequired(guardrailsIn(row.guardrails).approval, row)) return 'not_asked'
  const approved = approvedOf(row)
  return approved !== null && isCovered(planOf(row), approved, now) ? 'given' : 'missing'
}

/** Columns the service sets alongside the status. */
export type ReviewColumns = {
  review?: Review
  approved?: Approved
  overridden?: object | null
  daily_cost_minor?: number
}

/** In the form the database takes. */
export const columnsOfMarks = ({ review, approved, overridden, ...rest }: ReviewColumns) => ({
  ...rest,
  ...(review && { review: JSON.stringify(review) }),
  ...(approved && { approved: JSON.stringify(approved) }),
  ...(overridden && { overridden: JSON.stringify(overridden) }),
})

type ReviewAction = { action: Action; reason: string | null }

export function reviewColumns(
  ctx: WriteContext,
  row: Details,
  { action, reason }: ReviewAction,
): ReviewColumns {
  const decided = { decided_by: ctx.actor.id, decided_at: ctx.now, reason }
  const review = reviewOf(row)
  if (action === 'submit') return { review: submission(ctx, row) }
  if (!review) return {}
  if (action === 'reject') return { review: { ...review, ...decided, state: 'rejected' } }
  if (action === 'withdraw') return { review: { ...review, ...decided, state: 'withdrawn' } }
  if (action !== 'approve') return {}
  return {
    review: { ...review, ...decided, state: 'approved' },
    approved: { ...planOf(row), by: ctx.actor.id, at: ctx.now },
  }
}

const submission = (ctx: WriteContext, row: Details): Review => ({
  state: 'pending',
  status_before: row.status as Review['status_before'],
  submitted_by: ctx.actor.id,
  submitted_at: ctx.now,
  decided_by: null,
  decided_at: null,
  reason: null,
})
