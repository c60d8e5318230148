import { checkCap, count } from '../../kernel/caps.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { oneOf, oneToChange, update } from '../../kernel/rows.ts'
import { nextStamps } from '../../kernel/stamps.ts'
import { addDraft, noTemplate } from './campaigns.ts'
import {
  type Action,
  actionsFrom,
  isThere,
  obstacles,
  type Status,
  targetOf,
  transitionOf,
} from './lifecycle.ts'
import { type Details, factsOf, toCampaign } from './present.ts'
import type { Campaign, CampaignChanges } from './schema.ts'
import { wishOf } from './settle.ts'

/** Moves a campaign through its lifecycle; where it already is, nothing happens. */
export const act = (ctx: Context, id: string, action: Action): Promise<Campaign> =>
  change(ctx, `campaign.${action}`, async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const before = toCampaign(row, ctx)
    const transition = transitionOf(action)
    if (isThere(transition, before.status)) return { before, after: before }
    if (!transition.from.includes(before.status)) throw noWay(before.status, action)
    if (transition.checked) checkObstacles(ctx, row)
    if (action === 'unarchive') await checkCap(ctx, 'campaigns')
    const target = targetOf(transition, factsOf(row, ctx), ctx.now)
    const after = move(ctx, row, { status: target, reason: null })
    return { before, after, action: transition.events[target] ?? `campaign.${action}` }
  })

const noWay = (status: Status, action: Action) =>
  conflict('invalid_state_transition', `A campaign that is ${status} has no way to ${action}.`, {
    current_status: status,
    action,
    allowed_actions: actionsFrom(status),
  })

function checkObstacles(ctx: WriteContext, row: Details): void {
  const blocked_by = obstacles(factsOf(row, ctx), ctx.now)
  if (blocked_by.length === 0) return
  throw conflict('launch_blocked', `The campaign cannot run: ${blocked_by.join(', ')}.`, {
    blocked_by,
  })
}

type Move = { status: Status; reason: string | null }

/** Writes the new status with all that hangs on it. */
export function move(ctx: WriteContext, row: Details, { status, reason }: Move): Campaign {
  const changes = {
    status,
    status_reason: reason,
    status_before_archive: status === 'archived' ? row.status : null,
    launched_at: launchTime(row, status, ctx.now),
    completed_at: status === 'completed' ? (row.completed_at ?? ctx.now) : row.completed_at,
    archived_at: status === 'archived' ? ctx.now : null,
    ...nextStamps(ctx, row),
  }
  if (status === 'archived') count(ctx, 'campaigns', -1)
  if (row.status === 'archived') count(ctx, 'campaigns', 1)
  update(ctx, 'campaigns', { id: row.id, ...changes })
  return toCampaign({ ...row, ...changes }, ctx)
}

function launchTime(row: Details, status: Status, now: string): string | null {
  if (status === 'draft' && row.status === 'scheduled') return null
  const runs = status === 'active' || status === 'scheduled'
  return row.launched_at ?? (runs ? now : null)
}

/** A new draft like an existing campaign, with whatever the body says otherwise. */
export const duplicateCampaign = (
  ctx: Context,
  id: string,
  body: CampaignChanges,
): Promise<Campaign> =>
  change(ctx, 'campaign.created', async (ctx) => {
    const [row] = await Promise.all([
      oneOf(ctx, 'campaign_details', id),
      checkCap(ctx, 'campaigns'),
    ])
    const { template_id: _, ...asked } = body
    const copied = { ...wishOf(row), external_id: null, ...pastDropped(row, ctx.now) }
    return { before: null, after: await addDraft(ctx, { ...copied, ...asked }, noTemplate) }
  })

/** Dates that are over would keep the copy from being valid. */
const pastDropped = (row: Details, now: string) =>
  row.end_at !== null && row.end_at <= now ? { start_at: null, end_at: null } : {}
