import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import { choice } from '../../schema/fields.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Deployments',
  description: 'What an ad network should run of a campaign, beside what it does run.',
}

export const deploymentIds = idType('deployment', 'dpl')

export const connectorTag: Tag = {
  name: 'Connectors',
  description: 'The calls of the programs that run campaigns in ad networks.',
}

export const leaseIds = idType('lease', 'lse')

/** For the keys of connectors alone. */
export const useConnector = permission('connector.use', ['connector'])
export const readDeployments = permission('deployments.read', roles, { isForAgents: true })
export const writeDeployments = permission('deployments.write', ['owner', 'admin', 'editor'])
/** Ends what runs in the network. */
export const removeDeployments = permission('deployments.remove', ['owner', 'admin'])

/** The parts of a campaign that a connector keeps. */
export const managedFields = ['name', 'status', 'budget', 'dates', 'schedule'] as const

export const FieldName = choice(managedFields, {
  title: 'ManagedField',
  description: 'A part of a campaign that a connector keeps. `dates` is start, end and time zone.',
})

export const deploymentStates = [
  'removed',
  'removing',
  'blocked',
  'failed',
  'pending',
  'drifted',
  'in_sync',
] as const

export const StateName = choice(deploymentStates, {
  title: 'DeploymentState',
  description: 'See GET /reference/deployment_states.',
})

/** Kinds of faults that keep a deployment or a connection from going on. */
export const errorCodes = [
  'credential',
  'permission',
  'billing',
  'declaration',
  'setting',
  'cannot_hold',
  'cannot_change',
  'currency_mismatch',
  'time_zone_mismatch',
  'account_suspended',
  'rate_limited',
  'transient',
  'invalid',
  'unknown_outcome',
  'gone',
] as const
