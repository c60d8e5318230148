import { randomUUID } from 'node:crypto'
import { createFlightdeck } from '@flightdeckhq/sdk'
import { madeKey } from '../../../server/test/support/api-keys.ts'
import { campaignBody, made, profileOf } from '../../../server/test/support/cases/writes.ts'
import type { Client, World } from '../../../server/test/support/world.ts'
import { openMetrics, type RunnerOptions, runOnce, type Waits } from '../../kit/src/connect.ts'
import { openLog } from '../../kit/src/telemetry/log.ts'
import { googleAdapter } from '../adapter.ts'
import { openFake } from '../fake/server.ts'
import { credential, customerId } from './credential.ts'
import { judge } from './judge.ts'
import { declared } from './opened.ts'

/** A sandbox on the real service, whose account is in the fake. */

const shortWaits: Waits = {
  ...{ readBack: [0, 20, 60], secondLook: 10 },
  ...{ betweenLooks: 1_000, lag: 0 },
}

export type Connected = Awaited<ReturnType<typeof connect>>

export async function connect(world: World, address: string) {
  const organization = await world.organization({ sandbox: true })
  const { owner } = organization
  const fake = await openFake({ onExchange: judge })
  fake.control.openAccount({ id: customerId, currency: 'USD', timeZone: 'UTC' })
  const of = { platform: 'google_ads', account_ref: customerId }
  const profile = await profileOf(organization, of)
  const { key } = await madeKey(world, owner, { role: 'connector' })
  const logged: Record<string, unknown>[] = []
  const adapter = googleAdapter({ url: fake.url, oauthUrl: fake.url })
  const runner = (more: Partial<RunnerOptions> = {}): RunnerOptions => ({
    flightdeck: createFlightdeck({ baseUrl: `${address}/api/v1`, token: key, retries: 0 }),
    ...{ adapter, instance: randomUUID(), readCredential: async () => credential },
    ...{ deadlineMs: 5_000, waits: shortWaits, metrics: openMetrics() },
    log: openLog((line) => void logged.push(JSON.parse(line))),
    ...more,
  })
  return {
    ...{ organization, owner, fake, profile, key, logged, runner },
    round: (more: Partial<RunnerOptions> = {}) => runOnce(runner(more)),
    close: () => fake.close(),
  }
}

/** A campaign that is launched and deployed; answers its id. */
export async function deployed(
  { owner, profile }: Pick<Connected, 'owner' | 'profile'>,
  fields: object = {},
  deployment: object = { mode: 'create', settings: declared },
): Promise<string> {
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...fields })
  await owner.post(`/campaigns/${id}/launch`)
  const reply = await owner.put(`/campaigns/${id}/deployment`, deployment)
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return id
}

export const deploymentOf = async (owner: Client, id: string) =>
  (await owner.get(`/campaigns/${id}/deployment`)).json()
