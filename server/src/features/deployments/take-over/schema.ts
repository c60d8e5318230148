import { Type } from 'typebox'
import { ItemProblem } from '../../../problems/schema.ts'
import { bodyOf, choice, idOf, Labels, orNull, text } from '../../../schema/fields.ts'
import { campaignIds } from '../../campaigns/resource.ts'
import { deploymentIds } from '../resource.ts'
import { DeploymentBody, NetworkObjectId } from '../schema.ts'

const maxObjects = 1_000

const { managed_fields, drift_policy } = DeploymentBody.properties

export const TakeOverBody = bodyOf(
  {
    network_object_ids: Type.Array(NetworkObjectId, {
      minItems: 1,
      maxItems: maxObjects,
      description: 'Ids of GET /profiles/{id}/network_campaigns.',
    }),
    managed_fields,
    drift_policy,
    labels: Type.Optional(orNull(Labels)),
  },
  { title: 'TakeOverInput' },
)
export type TakeOverInput = Type.Static<typeof TakeOverBody>

const Warning = Type.Object(
  {
    code: text('The guardrail.'),
    message: text('By how much.'),
  },
  { title: 'TakeOverWarning' },
)

const TakenOver = Type.Object(
  {
    index: Type.Integer({ description: 'Position.' }),
    network_object_id: text('Its id in the network.'),
    outcome: choice(['created', 'failed'], { description: 'What became of it.' }),
    campaign_id: orNull(idOf(campaignIds, 'The new campaign.')),
    deployment_id: orNull(idOf(deploymentIds, 'Its deployment.')),
    warnings: Type.Array(Warning, { description: 'Guardrails and caps that it exceeds.' }),
    problem: Type.Optional(ItemProblem('Why not.')),
  },
  { title: 'TakenOverCampaign' },
)
export type TakenOver = Type.Static<typeof TakenOver>

export const TakeOverReply = Type.Object(
  { results: Type.Array(TakenOver, { description: 'In the same order.' }) },
  { title: 'TakeOverReply' },
)
export type TakeOverReply = Type.Static<typeof TakeOverReply>
