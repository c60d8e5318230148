import { noteStale, warnOfExpiring } from '../../../src/features/deployments/connector/due.ts'
import type { OwnWorld } from '../own-world.ts'
import { type Client, clientOf, type TestOrganization, type World } from '../world.ts'
import type { ExampleCase } from './example-cases.ts'
import { campaignBody, made, profileOf } from './writes.ts'

type Held = {
  client: Client
  lease: { lease_id: string; fence: number }
  deployment_id: string
  profile: string
}

const helds = new WeakMap<TestOrganization, Held>()

function heldBy(organization: TestOrganization): Held {
  const held = helds.get(organization)
  if (!held) throw new Error('no connector holds an account yet')
  return held
}

/** A connector that holds the account of a deployed campaign. */
const arranged = (world: World) => async (organization: TestOrganization) => {
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads' })
  const id = await made(owner, '/campaigns', campaignBody(profile))
  await owner.post(`/campaigns/${id}/launch`)
  const deployment = (await owner.put(`/campaigns/${id}/deployment`, { mode: 'create' })).json()
  const { key } = (await owner.post('/api_keys', { name: 'Connector', role: 'connector' })).json()
  const client = clientOf(world.app, { token: key, userId: '', email: '' })
  const lease = (await client.post('/connector/leases', leaseBody)).json()
  helds.set(organization, {
    client,
    lease: { lease_id: lease.lease_id, fence: lease.fence },
    deployment_id: deployment.id,
    profile,
  })
  return lease.lease_id
}

const leaseBody = {
  instance: 'host-1-4711',
  adapter: 'google-ads',
  adapter_version: '1.0.0',
  platform: 'google_ads',
  api_version: 'v25',
  ttl_seconds: 60,
}

/** The calls of connectors, each as one that holds an account. */
export function connectorExamples(world: World): Readonly<Record<string, ExampleCase>> {
  const as = async (organization: TestOrganization) => heldBy(organization).client
  const common = { arrange: arranged(world), as }
  return {
    'POST /connector/leases': { ...common, body: () => leaseBody },
    'DELETE /connector/leases/:id': common,
    'GET /connector/work': {
      ...common,
      queryFor: (organization) => {
        const { lease_id, fence } = heldBy(organization).lease
        return `lease_id=${lease_id}&fence=${fence}`
      },
    },
    'POST /connector/intents': {
      ...common,
      body: (_, organization) => {
        const { lease, deployment_id } = heldBy(organization)
        return { ...lease, deployment_id, generation: 1 }
      },
    },
    'GET /profiles/:id/network_campaigns': { arrange: inventoried(world) },
    'POST /connector/inventory': {
      ...common,
      body: (_, organization) => {
        const { lease, profile } = heldBy(organization)
        return { ...lease, profile_id: profile, complete: true, campaigns: [held] }
      },
    },
    'POST /connector/reports': {
      ...common,
      body: (_, organization) => {
        const { lease, deployment_id } = heldBy(organization)
        const report = { deployment_id, generation: 1, outcome: 'applied' }
        const observed = { name: 'Spring Sale', run: 'enabled' }
        return { ...lease, reports: [{ ...report, network_object_id: '21840012345', observed }] }
      },
    },
  }
}

/** An account whose connector has sent its inventory. */
const inventoried = (world: World) => async (organization: TestOrganization) => {
  await arranged(world)(organization)
  const { client, lease, profile } = heldBy(organization)
  const body = { ...lease, profile_id: profile, complete: true, campaigns: [held] }
  const reply = await client.post('/connector/inventory', body)
  if (reply.statusCode !== 200) throw new Error(`an inventory: ${reply.body}`)
  return profile
}

const held = {
  network_object_id: '21840012345',
  name: 'Spring Sale 2026',
  status: 'active',
  objective: 'sales',
  daily_budget_minor: 3351,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: null,
  time_zone: 'UTC',
  schedule: [],
}

/** Has a connector do what makes each event of deployments and connections. */
export async function runConnector(world: OwnWorld, organization: TestOrganization): Promise<void> {
  await arranged(world)(organization)
  const { client, lease, deployment_id } = heldBy(organization)
  const report = async (outcome: object, more: object = {}) => {
    const reports = [{ deployment_id, generation: 2, ...outcome }]
    const reply = await client.post('/connector/reports', { ...lease, ...more, reports })
    if (reply.statusCode !== 207) throw new Error(`a report: ${reply.body}`)
  }
  const account = { currency: 'USD', time_zone: 'UTC', status: 'active' }
  const observed = { run: 'enabled' }
  const { owner } = organization
  const [{ campaign_id }] = (await owner.get('/deployments')).json().data
  await owner.patch(`/campaigns/${campaign_id}`, { daily_budget: 40 })
  await report({ outcome: 'applied', network_object_id: '218', observed })
  await report({ outcome: 'observed', observed: { run: 'paused' } })
  await report({ outcome: 'failed' }, { account: { ...account, ref: '1' } })
  const expires_at = new Date(world.clock.now().getTime() + hourMs).toISOString()
  await report({ outcome: 'failed' }, { credential: { state: 'expiring', expires_at } })
  await warnOfExpiring(world.services)
  await report({ outcome: 'blocked' }, { account: { ...account, ref: '2' } })
  await owner.post(`/campaigns/${campaign_id}/deployment/remove`)
  await report({ outcome: 'applied' })
  world.clock.advance(hourMs)
  await noteStale(world.services)
}

const hourMs = 3_600_000
