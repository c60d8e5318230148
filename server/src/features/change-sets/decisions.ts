import { hasRoleAmong, type KeyRole, lackOfRole, may } from '../../identity/permissions.ts'
import { recordDenial } from '../../kernel/change.ts'
import { type Context, nowIn, type WriteContext } from '../../kernel/context.ts'
import {
  checkVersion,
  namesVersion,
  oneOf,
  oneToChange,
  versionRequired,
} from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import type { MembersOf } from '../../problems/members.ts'
import { conflict, type Problem, Refusal } from '../../problems/problem.ts'
import { moved, recorded, store } from './change.ts'
import { approverRolesIn, type ChangeSetRow, isAuthorOf } from './present.ts'
import { manageChangeSets } from './resource.ts'
import type { ApproveBody, ChangeSet } from './schema.ts'
import { checkFresh, notApplicable } from './stale/fresh.ts'
import { type Action, actionsFrom, livingStatus, statusAt } from './status.ts'

/** Approves exactly the version that was reviewed. */
export const approveChangeSet = (
  ctx: Context,
  id: string,
  { version }: ApproveBody,
): Promise<ChangeSet> =>
  inTransaction({ ...ctx, ifMatch: ctx.ifMatch ?? (version ? [version] : null) }, async (ctx) => {
    if (!namesVersion(ctx)) throw versionRequired()
    const row = await toDecide(ctx, id, 'approve')
    if (await isAuthorOf(ctx, row)) throw ownChangeSet(row)
    await checkFresh(ctx, row)
    if (!row.applicable) throw await notApplicable(ctx, row)
    const approved = { approved_by: ctx.actor.id, approved_at: ctx.now }
    const status = livingStatus({ ...row, ...approved })
    const after = moved(ctx, row, { ...approved, status })
    store(ctx, row, after)
    return recorded(ctx, { action: 'change_set.approved', before: row, after })
  })

export const rejectChangeSet = (
  ctx: Context,
  id: string,
  { reason }: { reason: string },
): Promise<ChangeSet> =>
  inTransaction(ctx, async (ctx) => {
    const row = await toDecide(ctx, id, 'reject')
    const rejected = { rejected_by: ctx.actor.id, rejected_reason: reason }
    const after = moved(ctx, row, { ...rejected, status: 'rejected' })
    store(ctx, row, after)
    return recorded(ctx, { action: 'change_set.rejected', before: row, after, reason })
  })

export const cancelChangeSet = (ctx: Context, id: string): Promise<ChangeSet> =>
  inTransaction(ctx, async (ctx) => {
    const row = await oneOf(ctx, 'change_sets', id)
    await checkManage(ctx, row, 'cancel')
    const after = moved(ctx, row, { status: 'cancelled' })
    store(ctx, row, after)
    return recorded(ctx, { action: 'change_set.cancelled', before: row, after })
  })

/** For what approvers decide. */
async function toDecide(
  ctx: WriteContext,
  id: string,
  action: 'approve' | 'reject',
): Promise<ChangeSetRow> {
  const row = await oneToChange(ctx, 'change_sets', id)
  const required_roles = await approverRolesIn(ctx)
  if (!hasRoleAmong(ctx, required_roles)) throw notAmong(ctx, row, { action, required_roles })
  checkStatus(row, action, ctx.now)
  return row
}

/** For what the author may do, and those who manage all change sets. */
export async function checkManage(
  ctx: Context,
  row: ChangeSetRow,
  action: 'cancel' | 'refresh',
): Promise<void> {
  checkVersion(ctx, row.version)
  await checkOwn(ctx, row, action)
  checkStatus(row, action, nowIn(ctx))
}

/** Refuses callers other than the author and those who manage all change sets. */
export async function checkOwn(ctx: Context, row: ChangeSetRow, action: Deed): Promise<void> {
  if (may(ctx, manageChangeSets) || (await isAuthorOf(ctx, row))) return
  throw notAmong(ctx, row, { action, required_roles: manageChangeSets.roles })
}

/** Acts that are refused by who asks. */
type Deed = Action | 'update'

const participles: Readonly<Record<Deed, string>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
  refresh: 'refreshed',
  apply: 'applied',
  update: 'updated',
}

export function checkStatus(row: ChangeSetRow, action: Action, now: string): void {
  const status = statusAt(row, now)
  const isRepeated = action === 'approve' && row.approved_at !== null
  if (actionsFrom(status).includes(action) && !isRepeated) return
  const detail = `A change set that is ${isRepeated ? 'approved' : status} cannot be ${participles[action]}.`
  throw conflict('invalid_state_transition', detail, {
    current_status: status,
    action,
    allowed_actions: actionsFrom(status),
  })
}

type Lacking = { action: Deed; required_roles: readonly KeyRole[] }

function notAmong(ctx: Context, row: ChangeSetRow, { action, required_roles }: Lacking): Problem {
  const detail = hasRoleAmong(ctx, required_roles)
    ? 'API keys cannot do this.'
    : lackOfRole(ctx, required_roles)
  return denied(row, action, { code: 'insufficient_role', detail, members: { required_roles } })
}

const ownChangeSet = (row: ChangeSetRow): Problem =>
  denied(row, 'approve', {
    code: 'self_approval_forbidden',
    detail: 'A change set cannot be approved by the user who proposed it.',
  })

type Denial<Code extends ProblemCode> = { code: Code; detail: string; members?: MembersOf<Code> }

const denied = <Code extends ProblemCode>(
  { id, title }: ChangeSetRow,
  action: Deed,
  { code, detail, ...more }: Denial<Code>,
) =>
  new Refusal(code, detail, {
    ...more,
    record: (ctx: Context) =>
      recordDenial(ctx, `change_set.${participles[action]}`, { id, name: title }),
  })
