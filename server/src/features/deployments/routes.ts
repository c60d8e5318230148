import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readReference } from '../../identity/permissions.ts'
import { listParameters } from '../../query/list.ts'
import { choice, NoBody } from '../../schema/fields.ts'
import { campaignEvents } from '../campaigns/event-types.ts'
import { ChangeSet } from '../change-sets/schema.ts'
import { tag as referenceTag } from '../reference/resource.ts'
import { actOnDeployment } from './actions.ts'
import { detachDeployment, getDeployment, putDeployment } from './deployments.ts'
import { dueDeployments } from './due.ts'
import { deploymentEvents } from './event-types.ts'
import { followCampaign, followOrganization, followProfile, followProxy } from './follow.ts'
import { inventoryEndpoints } from './inventory/routes.ts'
import { deploymentList, listDeployments } from './list.ts'
import { proposeAdoption } from './propose.ts'
import { deploymentRefusals, evenWhenFull } from './refusals.ts'
import {
  deploymentIds,
  readDeployments,
  removeDeployments,
  tag,
  writeDeployments,
} from './resource.ts'
import { Deployment, DeploymentBody, DeploymentList, DeploymentStates } from './schema.ts'
import { actions, type DeploymentAction, stateRules } from './states.ts'

const aboutActions: Readonly<Record<DeploymentAction, { summary: string; description: string }>> = {
  check: {
    summary: 'Check a deployment',
    description: 'Asks the connector to look at the object in the network soon.',
  },
  retry: {
    summary: 'Try a deployment again',
    description:
      'At once, whatever failed or blocked it. What is `gone` from the network is created anew.',
  },
  overwrite: {
    summary: 'Overwrite what drifted',
    description: 'Asks the connector to give the network the desired values again.',
  },
  adopt: {
    summary: 'Adopt what drifted',
    description:
      'The campaign takes over the values that were seen in the network, by the ordinary changes: guardrails and approvals hold. With `as=change_set` they are proposed instead: 201 with the change set.',
  },
  remove: {
    summary: 'Remove a deployment',
    description:
      'Asks the connector to end the object in the network, for good. DELETE leaves it as it is.',
  },
}

const ofVerbs = [
  'external_id_taken',
  'guardrail_violation',
  'approval_required',
  'change_set_required',
  'launch_blocked',
  'limit_exceeded',
] as const

const asParameter = {
  as: choice(['change_set'], { description: 'Proposes it instead, for review.' }),
}

const proposing = {
  query: asParameter,
  alsoMakes: { at: '/change_sets', reply: ChangeSet },
} as const

const acting = actions.map((action) =>
  endpoint({
    operation: `${action}Deployment`,
    tag,
    ...aboutActions[action],
    method: 'POST',
    path: `/campaigns/:id/deployment/${action}`,
    permission: action === 'remove' ? removeDeployments : writeDeployments,
    action: action === 'adopt' ? 'deployment.adopted' : 'deployment.requested',
    body: NoBody,
    reply: Deployment,
    ...(action === 'adopt' && proposing),
    problems: ['invalid_state_transition', ...(action === 'adopt' ? ofVerbs : [])],
    run: (ctx, { id, query }) =>
      query.as === undefined ? actOnDeployment(ctx, id, action) : proposeAdoption(ctx, id),
  }),
)

export const deployments: Feature = {
  tag,
  permissions: [readDeployments, writeDeployments, removeDeployments],
  ids: { deployments: deploymentIds },
  tables: [
    { name: 'network_campaigns', isEmptied: true },
    { name: 'former_objects', isEmptied: true },
    { name: 'deployments', isEmptied: true },
  ],
  evenWhenFull,
  endpoints: [
    endpoint({
      operation: 'listDeployments',
      tag,
      summary: 'List deployments',
      method: 'GET',
      path: '/deployments',
      permission: readDeployments,
      query: listParameters(deploymentList),
      reply: DeploymentList,
      run: (ctx, { query }) => listDeployments(ctx, query),
    }),
    endpoint({
      operation: 'getDeployment',
      tag,
      summary: 'Get the deployment of a campaign',
      method: 'GET',
      path: '/campaigns/:id/deployment',
      permission: readDeployments,
      reply: Deployment,
      run: (ctx, { id }) => getDeployment(ctx, id),
    }),
    endpoint({
      operation: 'putDeployment',
      tag,
      summary: 'Deploy a campaign',
      description:
        'Has a connector run the campaign in its network, or changes how: omitted fields stay as they are. Nothing is sent before the campaign is launched.',
      method: 'PUT',
      path: '/campaigns/:id/deployment',
      permission: writeDeployments,
      action: 'deployment.created',
      body: DeploymentBody,
      example: { mode: 'create', drift_policy: 'report' },
      mayCreate: true,
      reply: Deployment,
      problems: ['network_object_taken', 'invalid_state_transition'],
      run: (ctx, { id, body }) => putDeployment(ctx, id, body),
    }),
    endpoint({
      operation: 'detachDeployment',
      tag,
      summary: 'Detach a campaign from its network',
      description: 'The object in the network is left as it is, and may go on to run.',
      method: 'DELETE',
      path: '/campaigns/:id/deployment',
      permission: writeDeployments,
      action: 'deployment.detached',
      status: 204,
      run: (ctx, { id }) => detachDeployment(ctx, id),
    }),
    ...acting,
    ...inventoryEndpoints,
    endpoint({
      operation: 'listDeploymentStates',
      tag: referenceTag,
      summary: 'List the states of deployments',
      method: 'GET',
      path: '/reference/deployment_states',
      permission: readReference,
      reply: DeploymentStates,
      run: async () => ({
        data: stateRules.map(({ state, description, actions, isFinal = false }) => ({
          state,
          description,
          actions: [...actions],
          is_final: isFinal,
        })),
      }),
    }),
  ],
  constraints: deploymentRefusals,
  events: [deploymentEvents],
  reactions: {
    'profile.updated': followProfile,
    'proxy.updated': followProxy,
    'proxy.health_changed': followProxy,
    'organization.updated': followOrganization,
    ...Object.fromEntries(Object.keys(campaignEvents.types).map((name) => [name, followCampaign])),
  },
  duties: [dueDeployments],
}
