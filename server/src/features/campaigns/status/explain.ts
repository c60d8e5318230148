import { lackOfRole, may } from '../../../identity/permissions.ts'
import { recordDenial } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { isSamePerson } from '../../../kernel/people.ts'
import { nextStamps, oneToChange, update } from '../../../kernel/rows.ts'
import { Problem, Refusal } from '../../../problems/problem.ts'
import { changeCampaign } from '../change-campaign.ts'
import { type Details, lifecycleFactsOf, toCampaign } from '../present.ts'
import { withdrawAnyCampaign } from '../resource.ts'
import type { Campaign } from '../schema.ts'
import { explained } from './change.ts'

/** Says afterwards why the status was changed. Its own audit record has when, and who said it. */
export const explainStatus = (
  ctx: Context,
  id: string,
  { reason }: { reason: string },
): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const { status_change } = row
    const facts = lifecycleFactsOf(row, ctx)
    const before = toCampaign(row, ctx, facts)
    if (!status_change) throw new Problem('not_found', 'Its status was never changed.')
    await checkMayExplain(ctx, row)
    explained(ctx, reason)
    if (status_change.reason === reason) return { before, after: before }
    const changed = { status_change: { ...status_change, reason }, ...nextStamps(ctx, row) }
    const { status_change: next, ...stamps } = changed
    update(ctx, 'campaigns', { id, status_change: JSON.stringify(next), ...stamps })
    return { before, after: toCampaign({ ...row, ...changed }, ctx, facts), reason }
  })

/** The one who changed it knows why; admins and owners may correct it. */
async function checkMayExplain(ctx: WriteContext, row: Details): Promise<void> {
  if (may(ctx, withdrawAnyCampaign)) return
  const by = row.status_change?.by.id ?? null
  if (await isSamePerson(ctx, by, ctx.actor.id)) return
  const required_roles = withdrawAnyCampaign.roles
  const detail = `Its status was changed by another person. ${lackOfRole(ctx, required_roles)}`
  throw new Refusal('insufficient_role', detail, {
    members: { required_roles },
    record: (ctx: Context) => recordDenial(ctx, 'campaign.updated', row),
  })
}
