import type { World } from '../../../server/test/support/world.ts'
import { connectTo, deployedBy } from '../../test/on-service.ts'
import { simAdapter } from '../adapter.ts'
import { openNetwork, type SimNetwork } from '../network/server.ts'
import { newest } from '../network/state.ts'

export { deploymentOf } from '../../test/on-service.ts'

export const accountRef = 'sim-1'

export type Connected = Awaited<ReturnType<typeof connect>>

/** A sandbox on the real service, whose account is in a simulated network. */
export async function connect(world: World, address: string) {
  const network = await openNetwork()
  network.control.openAccount({ id: accountRef, currency: 'USD', time_zone: 'UTC' })
  const connected = await connectTo(world, address, {
    platform: 'sim',
    accountRef,
    adapter: simAdapter({ url: network.url }),
    credential: 'sim',
    deadlineMs: 500,
  })
  return { ...connected, network, close: () => network.close() }
}

/** A campaign that is launched and deployed; answers its id. */
export const deployed = (
  all: Pick<Connected, 'owner' | 'profile'>,
  fields: object = {},
  deployment: object = { mode: 'create' },
): Promise<string> => deployedBy(all, { fields, deployment })

/** The campaigns of the network that are not removed, with their ids. */
export const inNetwork = ({ control }: SimNetwork) =>
  control.campaigns(accountRef).flatMap((campaign) => {
    const { values } = newest(campaign)
    return values ? [{ id: campaign.id, ...values }] : []
  })
