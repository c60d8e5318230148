import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { listParameters } from '../../../query/list.ts'
import { exampleId } from '../../../values/ids.ts'
import { profileIds } from '../../profiles/resource.ts'
import { connectorTag, leaseIds, readDeployments, tag, useConnector } from '../resource.ts'
import { listNetworkCampaigns, networkCampaignList } from './list.ts'
import { InventoryBody, InventoryReply, NetworkCampaignList } from './schema.ts'
import { takeInventory } from './take.ts'

/** Endpoints of what accounts hold in their networks, whether or not it belongs to a campaign. */
export const inventoryEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'takeConnectorInventory',
    tag: connectorTag,
    summary: 'Report what an account holds',
    description:
      'Up to 500 campaigns a call. What the calls up to a complete one do not name is gone; a new fence begins anew. Linked ones count as observed.',
    method: 'POST',
    path: '/connector/inventory',
    permission: useConnector,
    body: InventoryBody,
    example: {
      lease_id: exampleId(leaseIds),
      fence: 4,
      profile_id: exampleId(profileIds),
      complete: true,
      campaigns: [
        {
          network_object_id: '21840012345',
          name: 'Spring Sale 2026',
          status: 'active',
          objective: 'sales',
          daily_budget_minor: 3351,
          currency: 'USD',
          time_zone: 'UTC',
        },
      ],
    },
    maxBytes: 8 * 1024 * 1024,
    carriesMany: true,
    noDryRun: true,
    noKey: true,
    reply: InventoryReply,
    problems: ['lease_lost', 'limit_exceeded'],
    run: (ctx, { body }) => takeInventory(ctx, body),
  }),
  endpoint({
    operation: 'listNetworkCampaigns',
    tag,
    summary: 'List what an account holds',
    description: 'Campaigns of the account in its network, as its connector last saw them.',
    method: 'GET',
    path: '/profiles/:id/network_campaigns',
    permission: readDeployments,
    query: listParameters(networkCampaignList),
    reply: NetworkCampaignList,
    run: (ctx, { id, query }) => listNetworkCampaigns(ctx, id, query),
  }),
]
