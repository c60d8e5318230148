import type { PacingFigures } from '../../../database/tables/json-columns.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../problems/problem.ts'
import { isWellFormedId } from '../../../values/ids.ts'
import { assessAll } from './assess.ts'
import type { PacingRow } from './pacing-rows.ts'
import { allowanceOf } from './plan/allowances.ts'
import { plannedDays } from './plan/daily.ts'
import type { Pacing } from './schema.ts'

type CampaignFigures = {
  campaign: Pick<
    PacingRow,
    'id' | 'name' | 'status' | 'profile_id' | 'currency' | 'currency_exponent'
  >
  figures: PacingFigures
}

export const toPacing = ({ campaign, figures }: CampaignFigures): Pacing => ({
  campaign_id: campaign.id,
  name: campaign.name,
  campaign_status: campaign.status,
  profile_id: campaign.profile_id,
  currency: campaign.currency,
  currency_exponent: campaign.currency_exponent,
  ...figures,
})

/** Assesses a campaign at this moment, in any status. */
export async function getPacing(ctx: Context, id: string): Promise<Pacing> {
  const [assessment] = isWellFormedId(id) ? await assessAll(ctx, [id]) : []
  if (!assessment) throw notFound()
  const { campaign, plan } = assessment
  return { ...toPacing(assessment), days: plannedDays(plan, allowanceOf(campaign.platform)) }
}
