import { may } from '../../identity/permissions.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { isSamePerson } from '../../kernel/people.ts'
import { adjustQuota, checkCap } from '../../kernel/quotas.ts'
import {
  namesVersion,
  nextStamps,
  oneOf,
  oneToChange,
  update,
  versionRequired,
} from '../../kernel/rows.ts'
import { conflict } from '../../problems/problem.ts'
import { addDraft } from './campaigns.ts'
import { changeCampaign } from './change-campaign.ts'
import { noTemplate } from './draft/template.ts'
import { checkStart } from './guardrails/change-set-rules.ts'
import { allowed, checkRun } from './guardrails/check.ts'
import { decide, type Refused } from './lifecycle/decide-action.ts'
import {
  actionsFrom,
  approvalObstacle,
  isAlreadyThere,
  type LifecycleFacts,
} from './lifecycle/lifecycle.ts'
import {
  type Action,
  campaignIn,
  type Status,
  type Transition,
  transitionOf,
} from './lifecycle/transitions.ts'
import { type Details, lifecycleFactsOf, toCampaign } from './present.ts'
import { unapproved } from './refusals.ts'
import { cap, withdrawAnyCampaign } from './resource.ts'
import {
  approvedByChangeSet,
  columnsOfMarks,
  notApprover,
  notSubmitter,
  ownSubmission,
  type ReviewColumns,
  reviewColumns,
} from './review.ts'
import type { Campaign, DuplicateInput } from './schema.ts'
import { type Cause, explained, statusChange } from './status/change.ts'

/** An action with the optional reason from its body. */
export type ActionRequest = { action: Action; reason?: string | null | undefined }

/**
 * Moves a campaign through its lifecycle; repeating an action that has already taken effect changes
 * nothing.
 */
export const performAction = (
  ctx: Context,
  id: string,
  { action, reason = null }: ActionRequest,
): Promise<Campaign> =>
  changeCampaign(ctx, `campaign.${action}`, async (outer) => {
    const ctx = explained(outer, reason)
    const row = await oneToChange(ctx, 'campaign_details', id)
    const own = lifecycleFactsOf(row, ctx)
    const before = toCampaign(row, ctx, own)
    const transition = transitionOf(action)
    if (isAlreadyThere(transition, before.status)) {
      return { before, after: before, repeats: `campaign.${action}` }
    }
    if (transition.checked) checkStart(ctx, row, action)
    const given = approvalGiven(ctx, row, { transition, facts: own })
    const facts: LifecycleFacts = given ? { ...own, approval: 'given' } : own
    const verdict = decide(transition, facts, await callerOf(ctx, row, transition))
    if ('refused' in verdict) throw refusalOf(ctx, { row, facts, transition }, verdict.refused)
    if (action === 'unarchive') await checkCap(ctx, cap)
    const passage = transition.checked ? await checkRun(ctx, row) : allowed
    const marks = { ...reviewColumns(ctx, row, { action, reason }), ...passage.marks, ...given }
    const why = passage.reason ?? ctx.reason
    const to = { status: verdict.to, reason: null, marks, cause: { action, reason: why } }
    const after = applyStatus(ctx, { row, facts }, to)
    const event = transition.events[verdict.to] ?? `campaign.${action}`
    return { before, after, action: event, reason: why }
  })

/** The approval by a change set, if the campaign alone lacks one. */
const approvalGiven = (
  ctx: WriteContext,
  row: Details,
  { transition, facts }: Omit<ActionAttempt, 'row'>,
): ReviewColumns | undefined =>
  approvalObstacle(transition, facts.approval) === 'approval_required'
    ? approvedByChangeSet(ctx, row)
    : undefined

async function callerOf(ctx: WriteContext, row: Details, { action, by }: Transition) {
  const submitter = row.review?.submitted_by ?? null
  const isOfSubmission = action === 'approve' || by === 'submitter'
  return {
    now: ctx.now,
    namesVersion: namesVersion(ctx),
    isSubmitter: isOfSubmission && (await isSamePerson(ctx, submitter, ctx.actor.id)),
    mayWithdrawAny: may(ctx, withdrawAnyCampaign),
  }
}

type ActionAttempt = { row: Details; facts: LifecycleFacts; transition: Transition }

function refusalOf(ctx: WriteContext, { row, facts, transition }: ActionAttempt, refused: Refused) {
  const { action, participle } = transition
  const { status, approval, obstacles: blocked_by } = facts
  const current = { current_status: status, action }
  const invalid = (detail: string) =>
    conflict('invalid_state_transition', detail, {
      ...current,
      allowed_actions: actionsFrom(status, approval),
    })
  switch (refused) {
    case 'not_approver':
      return notApprover(ctx, row, action)
    case 'version_not_named':
      return versionRequired()
    case 'wrong_status':
      return invalid(`${campaignIn[status]} cannot be ${participle}.`)
    case 'approval_required':
      return unapproved(current)
    case 'approval_not_asked':
      return invalid('The organization does not require approval for this campaign.')
    case 'own_submission':
      return ownSubmission(row, action)
    case 'not_submitter':
      return notSubmitter(ctx, row, action)
    case 'blocked':
      return conflict('launch_blocked', `The campaign cannot run: ${blocked_by.join(', ')}.`, {
        blocked_by,
      })
  }
}

type NextStatus = { status: Status; reason: string | null; cause: Cause; marks?: ReviewColumns }

type KnownCampaign = { row: Details; facts: LifecycleFacts }

/** Writes the new status, with its cause, review columns and quota. */
export function applyStatus(
  ctx: WriteContext,
  { row, facts }: KnownCampaign,
  to: NextStatus,
): Campaign {
  const { status, marks = {} } = to
  const changes = columnsAfter(ctx, row, to)
  if (status === 'archived') adjustQuota(ctx, cap, -1)
  if (row.status === 'archived') adjustQuota(ctx, cap, 1)
  const status_change = JSON.stringify(changes.status_change)
  update(ctx, 'campaigns', { id: row.id, ...changes, status_change, ...columnsOfMarks(marks) })
  const after = { ...row, ...changes, ...marks }
  return toCampaign(after, ctx, lifecycleFactsOf(after, ctx, facts.obstacles))
}

export const columnsAfter = (
  ctx: WriteContext,
  row: Details,
  { status, reason, cause }: Omit<NextStatus, 'marks'>,
) => ({
  status,
  status_reason: reason,
  status_change: statusChange(ctx, cause),
  status_before_archive: status === 'archived' ? row.status : null,
  launched_at: launchTime(row, status, ctx.now),
  completed_at: status === 'completed' ? (row.completed_at ?? ctx.now) : row.completed_at,
  archived_at: status === 'archived' ? ctx.now : null,
  ...nextStamps(ctx, row),
})

function launchTime(row: Details, status: Status, now: string): string | null {
  if (status === 'draft' && row.status === 'scheduled') return null
  const runs = status === 'active' || status === 'scheduled'
  return row.launched_at ?? (runs ? now : null)
}

/** A new draft copied from an existing campaign; fields of the body override the copied ones. */
export const duplicateCampaign = (
  ctx: Context,
  id: string,
  body: DuplicateInput,
): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.created', async (ctx) => {
    const [row] = await Promise.all([oneOf(ctx, 'campaign_details', id), checkCap(ctx, cap)])
    const base = { ...row, external_id: null, ...withoutPastTimes(row, ctx.now) }
    return addDraft(ctx, body, { template: noTemplate, body, base })
  })

/** Past dates would make the copy invalid. */
const withoutPastTimes = (row: Details, now: string) =>
  row.end_at !== null && row.end_at <= now ? { start_at: null, end_at: null } : {}
