import { type Changed, change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { withoutCaller } from './lifecycle/availability.ts'
import type { Campaign } from './schema.ts'

/** A change of a campaign. Its event is read by others than the caller: it shows no one's role. */
export const changeCampaign = (
  ctx: Context,
  action: string,
  work: (ctx: WriteContext) => Promise<Changed<Campaign>>,
): Promise<Campaign> =>
  change(
    ctx,
    action,
    async (ctx): Promise<Changed<Campaign>> => ({ toSnapshot: eventObject, ...(await work(ctx)) }),
  )

/** The same object where it is the same: an idempotent reply may then be kept by its event. */
function eventObject(campaign: Campaign): Campaign {
  const available_actions = withoutCaller(campaign.available_actions)
  return available_actions === campaign.available_actions
    ? campaign
    : { ...campaign, available_actions }
}
