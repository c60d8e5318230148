import type { Constraints } from '../../http/feature.ts'
import type { EvenWhenFull } from '../../kernel/storage.ts'
import { conflict } from '../../problems/problem.ts'

export const networkObjectTaken = () =>
  conflict('network_object_taken', 'Another campaign is linked with this object of the network.')

export const deploymentRefusals: Constraints = {
  deployments_object_key: networkObjectTaken,
}

/** Changes that follow a campaign or a network go on: a pause must reach the network. */
export const evenWhenFull: EvenWhenFull = {
  'deployment.updated': true,
  'deployment.requested': true,
  'deployment.bound': true,
  'deployment.synced': true,
  'deployment.drifted': true,
  'deployment.failed': true,
  'deployment.blocked': true,
  'deployment.removed': true,
  'deployment.detached': true,
}
