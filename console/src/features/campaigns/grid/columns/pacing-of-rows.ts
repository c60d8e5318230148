import { flightdeck, type Schema } from '../../../../flightdeck.ts'
import { figuresOfRows } from './figures-of-rows.ts'

const fields = [
  'campaign_id',
  'status',
  'pacing_index',
  'overspend',
  'spent_minor',
  'target_minor',
  'projected_minor',
  'money_at_risk_minor',
  'sources',
  'currency',
  'currency_exponent',
] as const

export type RowPacing = Pick<Schema<'Pacing'>, (typeof fields)[number]>

/** The pacing of a campaign; one that is not under way has none. */
export const usePacing = figuresOfRows<RowPacing>({
  async read(id) {
    const { data } = await flightdeck.pacing.list({ id, fields: [...fields], limit: id.length })
    return new Map(data.map((pacing) => [pacing.campaign_id, pacing]))
  },
  take({ type, data }, { put, outdate }) {
    if (type === 'pacing.changed' || type === 'pacing.stale')
      put(data.object.campaign_id, data.object)
    else if (type.startsWith('campaign.') && 'id' in data.object) outdate([`${data.object.id}`])
  },
})
