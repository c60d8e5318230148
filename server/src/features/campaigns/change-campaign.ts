import { isDeepStrictEqual } from 'node:util'
import { type Changed, change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { type TallyTable, tally } from '../../kernel/quotas.ts'
import type { Company } from '../../kernel/transaction.ts'
import { withoutCaller } from './lifecycle/availability.ts'
import type { Campaign } from './schema.ts'

/** A change of a campaign. Its event is read by others than the caller: it shows no one's role. */
export const changeCampaign = (
  ctx: Context,
  action: string,
  work: (ctx: WriteContext) => Promise<Changed<Campaign>>,
  company?: Company,
): Promise<Campaign> =>
  change(
    ctx,
    action,
    async (ctx): Promise<Changed<Campaign>> => {
      const changed = await work(ctx)
      await count(ctx, changed)
      return { toSnapshot: eventObject, ...changed }
    },
    company,
  )

/** How many campaigns there are, by what totals and profiles ask for. */
const counts: TallyTable = {
  table: 'campaign_counts',
  count: 'campaigns',
  by: ['profile_id', 'status', 'objective', 'currency'],
}

const countedBy = ({ profile_id, status, objective, currency }: Campaign) => [
  profile_id,
  status,
  objective,
  currency,
]

async function count(ctx: WriteContext, { before, after }: Changed<Campaign>): Promise<void> {
  if (before === after) return
  const [from, to] = [before && countedBy(before), after && countedBy(after)]
  if (isDeepStrictEqual(from, to)) return
  if (from) await tally(ctx, { of: counts, values: from, difference: -1 })
  if (to) await tally(ctx, { of: counts, values: to, difference: 1 })
}

/** The same object where it is the same: an idempotent reply may then be kept by its event. */
function eventObject(campaign: Campaign): Campaign {
  const available_actions = withoutCaller(campaign.available_actions)
  return available_actions === campaign.available_actions
    ? campaign
    : { ...campaign, available_actions }
}
