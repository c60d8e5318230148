import type { Warning, WriteContext } from '../../../kernel/context.ts'
import { checkCap } from '../../../kernel/quotas.ts'
import { firstStamps, insert } from '../../../kernel/rows.ts'
import { invalid } from '../../../problems/problem.ts'
import { newId } from '../../../values/ids.ts'
import { emptyRow, jsonOf, normalizeWithProfile, withProfile } from '../campaigns.ts'
import { changeCampaign } from '../change-campaign.ts'
import type { CampaignDraft } from '../draft/normalize.ts'
import { noTemplate } from '../draft/template.ts'
import { blockOf } from '../guardrails/check.ts'
import { dailyCost } from '../guardrails/daily-cost.ts'
import { breachesOfRun, passedWith } from '../guardrails/rules.ts'
import { toCampaign } from '../present.ts'
import { campaignIds, cap } from '../resource.ts'
import { columnsOfMarks, planOf } from '../review.ts'
import type { Campaign } from '../schema.ts'
import { statusChange } from '../status/change.ts'

/** A campaign that its network has already, as it is there. */
export type Existing = { draft: CampaignDraft; status: 'active' | 'paused' | 'scheduled' }

/**
 * Adds a campaign that runs already: that is no new spend, so guardrails and the caps of its profile
 * warn, and it counts as approved as it is. The caps of the plan hold.
 */
export async function addExisting(
  ctx: WriteContext,
  { draft, status }: Existing,
): Promise<{ campaign: Campaign; warnings: Warning[] }> {
  const warnings: Warning[] = []
  const campaign = await changeCampaign(ctx, 'campaign.created', async (ctx) => {
    await checkCap(ctx, cap)
    const { row, normalized, details } = await rowOf(ctx, { draft, status })
    const cost = dailyCost(details, ctx.now)
    const breaches = await breachesOfRun(ctx, details, cost)
    warnings.push(...breaches.map((breach) => warningOf(blockOf(details, breach, true))))
    const overridden = passedWith(details, breaches)
    const marks = {
      approved: { ...planOf(details), by: ctx.actor.id, at: ctx.now },
      ...(overridden && { overridden }),
      ...(status !== 'paused' && { daily_cost_minor: cost }),
    }
    const json = { ...jsonOf(normalized), status_change: JSON.stringify(row.status_change) }
    insert(ctx, 'campaigns', { ...row, ...json, ...columnsOfMarks(marks) })
    return { before: null, after: toCampaign({ ...details, ...marks }, ctx) }
  })
  return { campaign, warnings }
}

async function rowOf(ctx: WriteContext, { draft, status }: Existing) {
  const stored = { base: undefined, before: undefined }
  const { normalized, faults, profile } = await normalizeWithProfile(ctx, draft, stored)
  if (faults.length > 0) throw invalid(faults)
  const action = status === 'paused' ? ('pause' as const) : ('launch' as const)
  const row = {
    id: newId(campaignIds),
    ...emptyRow,
    ...normalized,
    ...noTemplate,
    ...firstStamps(ctx),
    status,
    status_reason: 'taken_over',
    status_change: statusChange(ctx, { action, reason: 'taken_over' }),
    launched_at: ctx.now,
  }
  return { row, normalized, details: withProfile(ctx, row, profile) }
}

const warningOf = ({ rule, limit, requested, currency }: ReturnType<typeof blockOf>): Warning => ({
  pointer: null,
  code: rule,
  message: `${requested} ${currency} exceeds ${limit}`,
})
