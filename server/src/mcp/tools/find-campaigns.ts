import { memberOf } from '../../values/objects.ts'
import { apiPath } from '../call.ts'
import type { Tool } from '../tool.ts'
import { counted } from './counted.ts'

const compact =
  'id,name,status,status_reason,delivery,profile_id,currency,daily_budget,lifetime_budget,end_at,labels,version'

export const findCampaigns: Tool = {
  name: 'find_campaigns',
  description:
    'Find campaigns: compact rows with budgets, state, and why they do or do not deliver.',
  isReadOnly: true,
  properties: {
    q: { type: 'string', description: 'Words of the name' },
    status: {
      type: 'string',
      description: 'draft, pending_review, scheduled, active, paused, completed, archived',
    },
    delivery: { type: 'string' },
    pacing_status: { type: 'string', description: 'over, under, critical, …' },
    client_id: { type: 'string' },
    profile_id: { type: 'string' },
    label: { type: 'string' },
    sort: { type: 'string', description: 'Such as -spend, -money_at_risk, name' },
    cursor: { type: 'string', description: 'meta.next_cursor of the page before' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
  async run(api, given) {
    const query = { limit: 25, ...given, fields: compact }
    const page = await api({ path: `${apiPath}/campaigns`, query })
    return {
      said: `${counted(memberOf(page, 'data'), 'campaign')}.`,
      data: { page },
    }
  },
}
