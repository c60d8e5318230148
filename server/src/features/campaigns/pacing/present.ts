import type { PacingFigures } from '../../../database/tables/json-columns.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../problems/problem.ts'
import { isWellFormedId } from '../../../values/ids.ts'
import type { Facts } from './facts.ts'
import { judgeAll } from './judge.ts'
import { allowanceOf } from './plan/allowances.ts'
import { plannedDays } from './plan/daily.ts'
import type { Pacing } from './schema.ts'

type Shown = {
  campaign: Pick<Facts, 'id' | 'name' | 'status' | 'profile_id' | 'currency' | 'currency_exponent'>
  figures: PacingFigures
}

export const toPacing = ({ campaign, figures }: Shown): Pacing => ({
  campaign_id: campaign.id,
  name: campaign.name,
  campaign_status: campaign.status,
  profile_id: campaign.profile_id,
  currency: campaign.currency,
  currency_exponent: campaign.currency_exponent,
  ...figures,
})

/** Judged at this moment, in any status. */
export async function getPacing(ctx: Context, id: string): Promise<Pacing> {
  const [judgement] = isWellFormedId(id) ? await judgeAll(ctx, [id]) : []
  if (!judgement) throw notFound()
  const { campaign, plan } = judgement
  return { ...toPacing(judgement), days: plannedDays(plan, allowanceOf(campaign.platform)) }
}
