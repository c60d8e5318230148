import { randomUUID } from 'node:crypto'
import { createFlightdeck } from '@flightdeckhq/sdk'
import { madeKey } from '../../server/test/support/api-keys.ts'
import { campaignBody, made, profileOf } from '../../server/test/support/cases/writes.ts'
import type { Client, World } from '../../server/test/support/world.ts'
import {
  type Adapter,
  openMetrics,
  type RunnerOptions,
  runOnce,
  type Waits,
} from '../kit/src/connect.ts'
import { openLog } from '../kit/src/telemetry/log.ts'

const shortWaits: Waits = {
  readBack: [0, 20, 60],
  secondLook: 10,
  betweenLooks: 1_000,
  lag: 0,
}

type Network = {
  platform: string
  accountRef: string
  adapter: Adapter
  credential: string
  deadlineMs: number
}

/** A sandbox on the real service with a profile of an account, and the connector of its network. */
export async function connectTo(world: World, address: string, network: Network) {
  const { platform, accountRef: account_ref, adapter, credential, deadlineMs } = network
  const organization = await world.organization({ sandbox: true })
  const { owner } = organization
  const profile = await profileOf(organization, { platform, account_ref })
  const { key } = await madeKey(world, owner, { role: 'connector' })
  const logged: Record<string, unknown>[] = []
  const runner = (more: Partial<RunnerOptions> = {}): RunnerOptions => ({
    flightdeck: createFlightdeck({ baseUrl: `${address}/api/v1`, token: key, retries: 0 }),
    adapter,
    instance: randomUUID(),
    readCredential: async () => credential,
    deadlineMs,
    waits: shortWaits,
    log: openLog((line) => void logged.push(JSON.parse(line))),
    metrics: openMetrics(),
    ...more,
  })
  const round = (more: Partial<RunnerOptions> = {}) => runOnce(runner(more))
  return { organization, owner, profile, key, logged, runner, round }
}

type Deploying = { fields?: object; deployment?: object }

/** A campaign that is launched and deployed; answers its id. */
export async function deployedBy(
  { owner, profile }: { owner: Client; profile: string },
  { fields = {}, deployment = { mode: 'create' } }: Deploying,
): Promise<string> {
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...fields })
  await owner.post(`/campaigns/${id}/launch`)
  const reply = await owner.put(`/campaigns/${id}/deployment`, deployment)
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return id
}

export const deploymentOf = async (owner: Client, id: string) =>
  (await owner.get(`/campaigns/${id}/deployment`)).json()
