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
      description: 'Whether the account holds nothing but what this call and those before it name.',
    }),
    campaigns: Type.Array(CampaignIn, {
      maxItems: maxCampaigns,
      description: 'What the account holds.',
    }),
  },
  { title: 'ConnectorInventoryInput' },
)
export type InventoryInput = Type.Static<typeof InventoryBody>

const Linked = Type.Object(
  {
    network_object_id: text('The campaign’s id in its network.'),
    deployment_id: idOf(deploymentIds, 'The deployment that is linked with it.'),
    campaign_id: idOf(campaignIds, 'Its campaign.'),
    generation: Type.Integer({ description: 'The newest generation.' }),
  },
  { title: 'LinkedNetworkCampaign' },
)

export const InventoryReply = Type.Object(
  {
    linked: Type.Array(Linked, {
      description:
        'Those of this call that belong to campaigns, for their results and differences.',
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
    campaign_id: orNull(idOf(campaignIds, 'The campaign that it belongs to; null: none yet.')),
    gone: Type.Boolean({ description: 'The network has it no longer.' }),
    last_seen_at: time('When it was last seen.'),
  },
  {
    title: 'NetworkCampaign',
    description: 'A campaign in the account, as its connector last saw it.',
  },
)
export type NetworkCampaign = Type.Static<typeof NetworkCampaign>

export const NetworkCampaignList = pageOfSchema(NetworkCampaign)
