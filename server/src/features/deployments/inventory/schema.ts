import { Type } from 'typebox'
import { bodyOf, choice, idOf, orNull, pageOfSchema, text, time } from '../../../schema/fields.ts'
import { campaignIds } from '../../campaigns/resource.ts'
import { lease } from '../connector/schema.ts'
import { deploymentIds } from '../resource.ts'
import { NetworkObjectId, Observed } from '../schema.ts'

export const networkStatuses = ['active', 'paused', 'scheduled', 'ended'] as const

const status = choice(networkStatuses, {
  title: 'NetworkCampaignStatus',
  description: 'Its status in the network.',
})

const { name: _, run: __, ...seen } = Observed.properties

const CampaignIn = bodyOf(
  {
    network_object_id: NetworkObjectId,
    name: Type.String({ maxLength: 1_000, description: 'Its name in the network.' }),
    status,
    ...seen,
  },
  { title: 'NetworkCampaignInput' },
)
export type NetworkCampaignInput = Type.Static<typeof CampaignIn>

const maxCampaigns = 500
/** The most campaigns of an account that are kept. */
export const maxInAccount = 50_000

export const InventoryBody = bodyOf(
  {
    ...lease,
    profile_id: Type.String({ maxLength: 64, description: 'The account.' }),
    complete: Type.Boolean({
      description: 'Whether nothing is left to be named.',
    }),
    campaigns: Type.Array(CampaignIn, {
      maxItems: maxCampaigns,
      description: 'Of the account.',
    }),
  },
  { title: 'ConnectorInventoryInput' },
)
export type InventoryInput = Type.Static<typeof InventoryBody>

const Linked = Type.Object(
  {
    network_object_id: text('Its id in the network.'),
    deployment_id: idOf(deploymentIds, 'The deployment linked with it.'),
    campaign_id: idOf(campaignIds, 'Its campaign.'),
    generation: Type.Integer({ description: 'The newest generation.' }),
  },
  { title: 'LinkedNetworkCampaign' },
)

const Former = Type.Object(
  {
    network_object_id: text('Its id in the network.'),
    campaign_id: idOf(campaignIds, 'The campaign that had it.'),
  },
  { title: 'FormerNetworkCampaign' },
)

export const InventoryReply = Type.Object(
  {
    linked: Type.Array(Linked, {
      description: 'Those of this call that belong to campaigns.',
    }),
    former: Type.Array(Former, {
      description:
        'Those that campaigns had within 14 months and the account holds no longer; after a complete call.',
    }),
  },
  { title: 'ConnectorInventoryReply' },
)
export type InventoryReply = Type.Static<typeof InventoryReply>

const NetworkCampaign = Type.Object(
  {
    network_object_id: text('Its id in the network.'),
    name: text('Its name in the network.'),
    status,
    ...seen,
    campaign_id: orNull(idOf(campaignIds, 'The campaign that has it.')),
    gone: Type.Boolean({ description: 'The network has it no longer.' }),
    last_seen_at: time('When it was last seen.'),
  },
  {
    title: 'NetworkCampaign',
    description: 'A campaign in an account.',
  },
)
export type NetworkCampaign = Type.Static<typeof NetworkCampaign>

export const NetworkCampaignList = pageOfSchema(NetworkCampaign)
