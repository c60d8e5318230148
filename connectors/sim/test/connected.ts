import { randomUUID } from 'node:crypto'
import { createFlightdeck } from '@flightdeckhq/sdk'
import { madeKey } from '../../../server/test/support/api-keys.ts'
import { campaignBody, made, profileOf } from '../../../server/test/support/cases/writes.ts'
import type { Client, World } from '../../../server/test/support/world.ts'
import { openMetrics, type RunnerOptions, runOnce, type Waits } from '../../kit/src/connect.ts'
import { openLog } from '../../kit/src/telemetry/log.ts'
import { simAdapter } from '../adapter.ts'
import { openNetwork, type SimNetwork } from '../network/server.ts'
import { newest } from '../network/state.ts'

/** A sandbox on the real service, whose account is in a simulated network. */

const shortWaits: Waits = {
  readBack: [0, 20, 60],
  secondLook: 10,
  betweenLooks: 1_000,
  lag: 0,
}

export const accountRef = 'sim-1'

export type Connected = Awaited<ReturnType<typeof connect>>

export async function connect(world: World, address: string) {
  const organization = await world.organization({ sandbox: true })
  const { owner } = organization
  const network = await openNetwork()
  network.control.openAccount({ id: accountRef, currency: 'USD', time_zone: 'UTC' })
  const profile = await profileOf(organization, { platform: 'sim', account_ref: accountRef })
  const { key } = await madeKey(world, owner, { role: 'connector' })
  const logged: Record<string, unknown>[] = []
  const runner = (more: Partial<RunnerOptions> = {}): RunnerOptions => ({
    flightdeck: createFlightdeck({ baseUrl: `${address}/api/v1`, token: key, retries: 0 }),
    adapter: simAdapter({ url: network.url }),
    instance: randomUUID(),
    readCredential: async () => 'sim',
    deadlineMs: 500,
    waits: shortWaits,
    log: openLog((line) => void logged.push(JSON.parse(line))),
    metrics: openMetrics(),
    ...more,
  })
  return {
    organization,
    owner,
    network,
    profile,
    key,
    logged,
    runner,
    round: (more: Partial<RunnerOptions> = {}) => runOnce(runner(more)),
    close: () => network.close(),
  }
}

/** A campaign that is launched and deployed; answers its id. */
export async function deployed(
  { owner, profile }: Pick<Connected, 'owner' | 'profile'>,
  fields: object = {},
  deployment: object = { mode: 'create' },
): Promise<string> {
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...fields })
  await owner.post(`/campaigns/${id}/launch`)
  const reply = await owner.put(`/campaigns/${id}/deployment`, deployment)
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return id
}

export const deploymentOf = async (owner: Client, id: string) =>
  (await owner.get(`/campaigns/${id}/deployment`)).json()

/** The campaigns of the network that are not removed, with their ids. */
export const inNetwork = ({ control }: SimNetwork) =>
  control.campaigns(accountRef).flatMap((campaign) => {
    const { values } = newest(campaign)
    return values ? [{ id: campaign.id, ...values }] : []
  })
