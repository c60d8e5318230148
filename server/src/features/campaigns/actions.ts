import type { Context, WriteContext } from '../../kernel/context.ts'
import { adjustQuota, checkCap } from '../../kernel/quotas.ts'
import { nextStamps, oneOf, oneToChange, requireVersion, update } from '../../kernel/rows.ts'
import { conflict } from '../../problems/problem.ts'
import { addDraft } from './campaigns.ts'
import { changeCampaign } from './change-campaign.ts'
import { allowed, checkRun } from './guardrails.ts'
import {
  actionsFrom,
  approvalObstacle,
  type Facts,
  isAlreadyThere,
  targetOf,
  transitionOf,
} from './lifecycle/lifecycle.ts'
import type { Action, Status, Transition } from './lifecycle/transitions.ts'
import { draftFromRow } from './normalize.ts'
import { type Details, factsOf, toCampaign } from './present.ts'
import { unapproved } from './refusals.ts'
import {
  checkApprover,
  checkSubmitter,
  columnsOfMarks,
  type ReviewColumns,
  reviewColumns,
} from './review.ts'
import type { Campaign, DuplicateInput } from './schema.ts'
import { noTemplate } from './template.ts'

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
  changeCampaign(ctx, `campaign.${action}`, async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const facts = factsOf(row, ctx)
    const before = toCampaign(row, ctx, facts)
    const transition = transitionOf(action)
    if (isAlreadyThere(transition, before.status)) return { before, after: before }
    checkApprover(ctx, row, transition)
    if (transition.namesVersion) requireVersion(ctx)
    checkTransition(transition, facts)
    await checkSubmitter(ctx, row, transition)
    if (transition.checked) checkObstacles(facts)
    if (action === 'unarchive') await checkCap(ctx, 'campaigns')
    const passage = transition.checked ? await checkRun(ctx, row) : allowed
    const status = targetOf(transition, facts, ctx.now)
    const marks = { ...reviewColumns(ctx, row, { action, reason }), ...passage.marks }
    const after = applyStatus(ctx, row, { status, reason: null, marks })
    const event = transition.events[status] ?? `campaign.${action}`
    return { before, after, action: event, reason: passage.reason ?? reason }
  })

function checkTransition(transition: Transition, { status, approval }: Facts): void {
  const { action, from } = transition
  const obstacle = approvalObstacle(transition, approval)
  if (from.includes(status) && obstacle === null) return
  const current = { current_status: status, action }
  if (from.includes(status) && obstacle === 'approval_required') throw unapproved(current)
  const isUnasked = from.includes(status)
  const detail = isUnasked
    ? 'The organization does not require approval for this campaign.'
    : `A campaign that is ${status} does not allow ${action}.`
  const allowed_actions = actionsFrom(status, approval)
  throw conflict('invalid_state_transition', detail, { ...current, allowed_actions })
}

function checkObstacles({ obstacles: blocked_by }: Facts): void {
  if (blocked_by.length === 0) return
  throw conflict('launch_blocked', `The campaign cannot run: ${blocked_by.join(', ')}.`, {
    blocked_by,
  })
}

type StatusChange = { status: Status; reason: string | null; marks?: ReviewColumns }

/** Writes the new status, with its events, review columns and quota. */
export function applyStatus(ctx: WriteContext, row: Details, to: StatusChange): Campaign {
  const { status, marks = {} } = to
  const changes = columnsAfter(ctx, row, to)
  if (status === 'archived') adjustQuota(ctx, 'campaigns', -1)
  if (row.status === 'archived') adjustQuota(ctx, 'campaigns', 1)
  update(ctx, 'campaigns', { id: row.id, ...changes, ...columnsOfMarks(marks) })
  return toCampaign({ ...row, ...changes, ...marks }, ctx)
}

export const columnsAfter = (
  ctx: WriteContext,
  row: Details,
  { status, reason }: StatusChange,
) => ({
  status,
  status_reason: reason,
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
    const [row] = await Promise.all([
      oneOf(ctx, 'campaign_details', id),
      checkCap(ctx, 'campaigns'),
    ])
    const copied = { ...draftFromRow(row), external_id: null, ...withoutPastTimes(row, ctx.now) }
    return addDraft(ctx, { ...copied, ...body }, { template: noTemplate, body })
  })

/** Past dates would make the copy invalid. */
const withoutPastTimes = (row: Details, now: string) =>
  row.end_at !== null && row.end_at <= now ? { start_at: null, end_at: null } : {}
