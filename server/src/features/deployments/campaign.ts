import type { Context } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { momentOf, toCampaign } from '../campaigns/present.ts'
import type { Campaign } from '../campaigns/schema.ts'

/** The campaign as it stands in the transaction. */
export const campaignOf = async (ctx: Context, id: string): Promise<Campaign> =>
  toCampaign(await oneOf(ctx, 'campaign_details', id), momentOf(ctx))

export const isAwaitingLaunch = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'draft' || status === 'pending_review'
