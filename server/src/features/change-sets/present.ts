import type { Row } from '../../database/tables/tenant-tables.ts'
import { hasRoleAmong, may } from '../../identity/permissions.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { isSamePerson } from '../../kernel/people.ts'
import { oneOf } from '../../kernel/rows.ts'
import type { StaleOperation } from '../../problems/members.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { storedRules } from '../guardrails/stored.ts'
import {
  approveChangeSets,
  manageChangeSets,
  rejectChangeSets,
  writeChangeSets,
} from './resource.ts'
import { type ChangeSet, reasonsForApproval } from './schema.ts'
import { staleIn } from './stale/stale.ts'
import { type Asker, availableActions, isLiving, statusAt } from './status.ts'

export type ChangeSetRow = Row<'change_sets'>

type ApproverRoles = ChangeSet['approval']['approver_roles']

/** Facts of a change set that are not on its row. */
export type PresentFacts = {
  now: string
  approverRoles: ApproverRoles
  stale: StaleOperation[]
  /** Null in events, which everybody reads. */
  asker: Asker | null
}

export const approverRolesIn = async (ctx: Context): Promise<ApproverRoles> => [
  ...guardrailsIn(await storedRules(ctx)).approver_roles,
]

/**
 * The rights of the caller. Only the database knows the user of an API key: lists go by the id
 * alone.
 */
export function askerOf(
  ctx: Context,
  { isAuthor, approverRoles }: { isAuthor: boolean; approverRoles: ApproverRoles },
): Asker {
  const isApprover = hasRoleAmong(ctx, approverRoles)
  return {
    isAuthor,
    mayApprove: isApprover && may(ctx, approveChangeSets),
    mayReject: isApprover && may(ctx, rejectChangeSets),
    mayManage: may(ctx, manageChangeSets),
    mayWrite: may(ctx, writeChangeSets),
    agentApplies: ctx.agent?.apply ?? null,
  }
}

export const isAuthorOf = (ctx: Context, row: ChangeSetRow): Promise<boolean> =>
  isSamePerson(ctx, row.created_by, ctx.actor.id)

/** The change set as the caller sees it, with what has moved since its trial. */
export async function presentOne(ctx: Context, row: ChangeSetRow): Promise<ChangeSet> {
  const now = nowIn(ctx)
  const [approverRoles, isAuthor, staleOf] = await Promise.all([
    approverRolesIn(ctx),
    isAuthorOf(ctx, row),
    staleIn(ctx, isLiving(statusAt(row, now)) ? [row.id] : []),
  ])
  const asker = askerOf(ctx, { isAuthor, approverRoles })
  return toChangeSet(row, { now, approverRoles, asker, stale: staleOf(row.id) })
}

export async function presentAll(
  ctx: Context,
  rows: readonly ChangeSetRow[],
): Promise<ChangeSet[]> {
  const now = nowIn(ctx)
  const living = rows.filter((row) => isLiving(statusAt(row, now)))
  const [approverRoles, staleOf] = await Promise.all([
    approverRolesIn(ctx),
    staleIn(
      ctx,
      living.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => {
    const isAuthor = row.created_by === ctx.actor.id
    const asker = askerOf(ctx, { isAuthor, approverRoles })
    return toChangeSet(row, { now, approverRoles, asker, stale: staleOf(row.id) })
  })
}

export const getChangeSet = async (ctx: Context, id: string): Promise<ChangeSet> =>
  presentOne(ctx, await oneOf(ctx, 'change_sets', id))

export function toChangeSet(row: ChangeSetRow, facts: PresentFacts): ChangeSet {
  const { now, approverRoles, stale, asker } = facts
  const status = statusAt(row, now)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    source: { kind: row.source_kind, reference: row.source_reference },
    mode: row.mode,
    status,
    operation_count: row.operation_count,
    summary: row.summary,
    spend_delta: row.spend_delta,
    approval: {
      required: row.approval_required,
      approver_roles: approverRoles,
      reasons: reasonsForApproval.filter((each) => row.approval_reasons.includes(each)),
    },
    applicable: row.applicable,
    stale,
    tried_at: row.tried_at,
    expires_at: row.expires_at,
    apply_at: row.apply_at,
    revert_at: row.revert_at,
    approved_by: row.approved_by,
    approved_at: row.approved_at,
    rejected_by: row.rejected_by,
    rejected_reason: row.rejected_reason,
    applied_by: row.applied_by,
    applied_at: row.applied_at,
    reverted_at: row.reverted_at,
    failure: row.failure,
    available_actions: availableActions({ ...row, status }, asker),
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    created_by: row.created_by,
    updated_by: row.updated_by,
  }
}
