import type { WriteOptions } from '@flightdeckhq/sdk'
import { flightdeck } from '../../flightdeck.ts'
import type { Deployment } from './queries.ts'

/** Only the version that was shown is acted on. */
const targetOf = ({ campaign_id, version }: Deployment) => ({ id: campaign_id, version })

/** Asks for an action of a deployment. */
export function act(action: string, deployment: Deployment, write: WriteOptions = {}) {
  const { campaigns } = flightdeck
  const target = targetOf(deployment)
  if (action === 'check') return campaigns.checkDeployment(target, write)
  if (action === 'retry') return campaigns.retryDeployment(target, write)
  if (action === 'overwrite') return campaigns.overwriteDeployment(target, write)
  if (action === 'remove') return campaigns.removeDeployment(target, write)
  return campaigns.adoptDeployment(target, {}, write)
}

export const detach = (deployment: Deployment, write: WriteOptions) =>
  flightdeck.campaigns.detachDeployment(targetOf(deployment), write)

/** Proposes what the network shows; answers the id of the change set. */
export async function proposeAdoption(deployment: Deployment): Promise<string> {
  const made = await flightdeck.campaigns.adoptDeployment(targetOf(deployment), {
    as: 'change_set',
  })
  return made.id
}
