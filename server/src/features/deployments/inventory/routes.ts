import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { listParameters } from '../../../query/list.ts'
import { exampleId } from '../../../values/ids.ts'
import { profileIds } from '../../profiles/resource.ts'
import {
  connectorTag,
  leaseIds,
  readDeployments,
  tag,
  useConnector,
  writeDeployments,
} from '../resource.ts'
import { TakeOverBody, TakeOverReply } from '../take-over/schema.ts'
import { costOfTakeOver, takeOver } from '../take-over/take-over.ts'
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
      'What the calls up to a complete one do not name is gone. Linked ones count as observed.',
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
    method: 'GET',
    path: '/profiles/:id/network_campaigns',
    permission: readDeployments,
    query: listParameters(networkCampaignList),
    reply: NetworkCampaignList,
    run: (ctx, { id, query }) => listNetworkCampaigns(ctx, id, query),
  }),
  endpoint({
    operation: 'takeOverCampaigns',
    tag,
    summary: 'Take over what an account holds',
    description:
      'Makes a campaign and a linked deployment of each, as it runs. What cannot be held exactly fails.',
    method: 'POST',
    path: '/profiles/:id/take_over',
    permission: writeDeployments,
    action: 'deployment.created',
    body: TakeOverBody,
    example: { network_object_ids: ['21840012345'] },
    carriesMany: true,
    cost: costOfTakeOver,
    unhurried: true,
    status: 207,
    reply: TakeOverReply,
    run: (ctx, { id, body }) => takeOver(ctx, id, body),
  }),
]
