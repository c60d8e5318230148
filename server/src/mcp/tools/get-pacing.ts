import { memberOf } from '../../values/objects.ts'
import { apiPath } from '../call.ts'
import { pathWith } from '../paths.ts'
import type { Tool } from '../tool.ts'
import { counted } from './counted.ts'

export const getPacing: Tool = {
  name: 'get_pacing',
  description:
    'Whether money is spent to plan: target, spent, expected, money at risk. Of one campaign, one client, or the worst first.',
  isReadOnly: true,
  properties: {
    campaign_id: { type: 'string' },
    client_id: { type: 'string' },
    profile_id: { type: 'string' },
    status: { type: 'string', description: 'over, under, critical, exhausted, stale, on_track, …' },
    cursor: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
  async run(api, { campaign_id: campaign, client_id: client, ...given }) {
    if (campaign !== undefined) {
      const pacing = await api({ path: pathWith('/campaigns/{id}/pacing', campaign) })
      return { said: 'The pacing of the campaign.', data: { pacing } }
    }
    if (client !== undefined && Object.keys(given).length === 0) {
      const pacing = await api({ path: pathWith('/clients/{id}/pacing', client) })
      return { said: 'The pacing of the client.', data: { pacing } }
    }
    const query = { ...given, client_id: client }
    const page = await api({ path: `${apiPath}/pacing`, query })
    return { said: `The pacing of ${counted(memberOf(page, 'data'), 'campaign')}.`, data: { page } }
  },
}
