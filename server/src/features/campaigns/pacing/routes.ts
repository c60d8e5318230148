import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { listParameters } from '../../../query/list.ts'
import { readCampaigns, tag } from '../resource.ts'
import { listPacing, pacingList } from './list.ts'
import { getPacing } from './present.ts'
import { Pacing, PacingList } from './schema.ts'

export const pacingEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'getCampaignPacing',
    tag,
    summary: 'Get the pacing of a campaign',
    description: 'In any status, at this moment.',
    method: 'GET',
    path: '/campaigns/:id/pacing',
    permission: readCampaigns,
    reply: Pacing,
    run: (ctx, { id }) => getPacing(ctx, id),
  }),
  endpoint({
    operation: 'listPacing',
    tag,
    summary: 'List the pacing of campaigns',
    description:
      'Scheduled, active and paused campaigns. It follows changes of a campaign within a second.',
    method: 'GET',
    path: '/pacing',
    permission: readCampaigns,
    query: listParameters(pacingList),
    reply: PacingList,
    run: (ctx, { query }) => listPacing(ctx, query),
  }),
]
