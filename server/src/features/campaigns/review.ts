import type {
  ApprovalTerms,
  Approved,
  Overridden,
  Review,
} from '../../database/tables/json-columns.ts'
import { hasRoleAmong, lackOfRole, may, type Role } from '../../identity/permissions.ts'
import { recordDenial } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import type { MembersOf } from '../../problems/members.ts'
import { Refusal } from '../../problems/problem.ts'
import { isId } from '../../values/ids.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { storedRules } from '../guardrails/stored.ts'
import { userIds } from '../members/resource.ts'
import { type ApprovalState, isCovered, isRequired } from './lifecycle/approval.ts'
import type { Action, Performer } from './lifecycle/transitions.ts'
import type { Details, Moment } from './present.ts'
import { approveCampaigns, withdrawAnyCampaign, writeCampaigns } from './resource.ts'
import { scheduleOf } from './schedule/dayparting.ts'

/** Organization policy decides which roles may approve. */
export function notApprover(ctx: WriteContext, row: Details, action: Action) {
  const { approver_roles: required_roles } = guardrailsIn(row.guardrails)
  const detail = lackOfRole(ctx, required_roles)
  return denied(row, { action, code: 'insufficient_role', detail, members: { required_roles } })
}

/** The roles that may approve, without a campaign at hand. */
export const approverRoles = async (ctx: Context): Promise<readonly Role[]> =>
  guardrailsIn(await storedRules(ctx)).approver_roles

export function ownSubmission(row: Details, action: Action) {
  const detail = 'A submission cannot be approved by the user who made it.'
  return denied(row, { action, code: 'self_approval_forbidden', detail })
}

/** Only the submitter and managers can withdraw a submission. */
export function notSubmitter(ctx: WriteContext, row: Details, action: Action) {
  const required_roles = withdrawAnyCampaign.roles
  const detail = `It was submitted by another user. ${lackOfRole(ctx, required_roles)}`
  return denied(row, { action, code: 'insufficient_role', detail, members: { required_roles } })
}

const everything: readonly Performer[] = ['writer', 'approver', 'submitter']

/** The performer roles that the caller lacks, as far as the row shows. */
export function deniedAs(row: Details, caller: Moment): readonly Performer[] {
  if (!may(caller, writeCampaigns)) return everything
  const { approver_roles } = guardrailsIn(row.guardrails)
  return [
    ...(may(caller, approveCampaigns) && hasRoleAmong(caller, approver_roles)
      ? []
      : ['approver' as const]),
    ...(may(caller, withdrawAnyCampaign) || mayBeOwn(row, caller) ? [] : ['submitter' as const]),
  ]
}

/**
 * Whether the caller may be the submitter. Only the database knows the user of an API key: then the
 * action itself decides.
 */
function mayBeOwn(row: Details, { actor }: Moment): boolean {
  const submitter = row.review?.submitted_by ?? null
  return submitter === actor.id || !isId(userIds, submitter ?? '') || actor.type !== 'user'
}

type Denial<Code extends ProblemCode> = {
  action: Action
  code: Code
  detail: string
  members?: MembersOf<Code>
}

const eventOf: Partial<Record<Action, string>> = {
  approve: 'campaign.approved',
  reject: 'campaign.rejected',
  withdraw: 'campaign.withdrawn',
}

const denied = <Code extends ProblemCode>(
  row: Details,
  { action, code, detail, ...more }: Denial<Code>,
) =>
  new Refusal(code, detail, {
    ...more,
    record: (ctx: Context) => recordDenial(ctx, eventOf[action] ?? `campaign.${action}`, row),
  })

/** The plan that an approval of the campaign would cover. */
export const planOf = (row: Details): ApprovalTerms => ({
  objective: row.objective,
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
export const approvedOf = ({ approved }: Pick<Details, 'approved'>): Approved | null =>
  approved?.objective === undefined ? null : approved

export function approvalOf(row: Details, now: string): ApprovalState {
  if (!isRequired(guardrailsIn(row.guardrails).approval, row)) return 'not_asked'
  const approved = approvedOf(row)
  return approved !== null && isCovered(planOf(row), approved, now) ? 'given' : 'missing'
}

/** Columns the service sets alongside the status. */
export type ReviewColumns = {
  review?: Review
  approved?: Approved
  overridden?: Overridden | null
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
  const { review } = row
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

/**
 * The approval of a change set as that of a campaign: submitted by the author of the set, and
 * approved. Undefined outside change sets; a set without an approval notes that it needs one.
 */
export function approvedByChangeSet(ctx: WriteContext, row: Details): ReviewColumns | undefined {
  const { changeSet } = ctx
  // The way back is approved with the rest, or not at all.
  if (!changeSet || (changeSet.barred !== undefined && !changeSet.approver)) return undefined
  const { author, approver, unapproved } = changeSet
  if (!approver) unapproved.add(row.id)
  const { by, at } = approver ?? { by: null, at: ctx.now }
  const submitted = { submitted_by: author.by, submitted_at: author.at }
  const decided = { decided_by: by, decided_at: at, state: 'approved' as const }
  return {
    review: { ...submission(ctx, row), ...submitted, ...decided },
    approved: { ...planOf(row), by, at },
  }
}

const submission = (ctx: WriteContext, row: Details): Review => ({
  state: 'pending',
  status_before: row.status === 'paused' ? 'paused' : 'draft',
  submitted_by: ctx.actor.id,
  submitted_at: ctx.now,
  decided_by: null,
  decided_at: null,
  reason: null,
})
