import type { World } from '../../../server/test/support/world.ts'
import { connectTo, deployedBy } from '../../test/on-service.ts'
import { googleAdapter } from '../adapter.ts'
import { openFake } from '../fake/server.ts'
import { credential, customerId } from './credential.ts'
import { judge } from './judge.ts'
import { declared } from './opened.ts'

export { deploymentOf } from '../../test/on-service.ts'

export type Connected = Awaited<ReturnType<typeof connect>>

/** A sandbox on the real service, whose account is in the fake. */
export async function connect(world: World, address: string) {
  const fake = await openFake({ onExchange: judge })
  fake.control.openAccount({ id: customerId, currency: 'USD', timeZone: 'UTC' })
  const connected = await connectTo(world, address, {
    platform: 'google_ads',
    accountRef: customerId,
    adapter: googleAdapter({ url: fake.url, oauthUrl: fake.url }),
    credential,
    deadlineMs: 5_000,
  })
  return { ...connected, fake, close: () => fake.close() }
}

/** A campaign that is launched and deployed; answers its id. */
export const deployed = (
  all: Pick<Connected, 'owner' | 'profile'>,
  fields: object = {},
  deployment: object = { mode: 'create', settings: declared },
): Promise<string> => deployedBy(all, { fields, deployment })
