import { sql } from 'kysely'
import { columnsOf } from '../../database/tables/types.ts'
import type { Context } from '../../kernel/context.ts'
import { oneOf, rowsOf } from '../../kernel/rows.ts'
import { momentOf, toCampaign } from '../campaigns/present.ts'
import type { Campaign } from '../campaigns/schema.ts'

/** The campaign as it stands in the transaction. */
export const campaignOf = async (ctx: Context, id: string): Promise<Campaign> =>
  toCampaign(await oneOf(ctx, 'campaign_details', id), momentOf(ctx))

export const isAwaitingLaunch = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'draft' || status === 'pending_review'

/** Several of them, by id. */
export async function campaignsOf(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Campaign>> {
  const rows = await rowsOf(ctx, 'campaign_details')
    .where(sql<boolean>`id = any(${ids})`)
    .select(columnsOf.campaign_details)
    .execute()
  const moment = momentOf(ctx)
  return new Map(rows.map((row) => [row.id, toCampaign(row, moment)]))
}
