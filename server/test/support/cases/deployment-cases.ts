import type { TestOrganization } from '../world.ts'
import type { Write } from './write-cases.ts'
import { campaignAfter, profileOf } from './writes.ts'

/** With an event, as all writes of deployments. */
const loudly = (action: string, more: Partial<Write> = {}): Write => ({
  action,
  event: true,
  ...more,
})

/** A launched campaign that is linked with an object of its network. */
const linkedCampaign = async (organization: TestOrganization): Promise<string> => {
  const id = await campaignAfter(organization, ['launch'])
  await organization.owner.put(`/campaigns/${id}/deployment`, {
    mode: 'link',
    network_object_id: '21840012345',
  })
  return id
}

/** As a connector would have left it, without one. */
const linkedWith = (columns: string) => async (organization: TestOrganization) => {
  const id = await linkedCampaign(organization)
  const sql = `update deployments set ${columns} where organization_id = $1 and campaign_id = $2`
  const { database } = organization.ctx.services
  await database.transaction(async (tx) => tx.send({ sql, parameters: [organization.id, id] }))
  return id
}

const blocked = linkedWith(
  `state = 'blocked', error = '{"code": "billing", "message": "No money.", "retry": "correctable",
    "errors": [], "network": null}'`,
)

const drifted = linkedWith(
  `state = 'drifted', applied_generation = generation, observed = desired,
    drift = '[{"field": "name", "desired": "Spring Sale", "observed": "Renamed",
      "since": "2026-11-21T09:30:00.000Z"}]'`,
)

/** A campaign that an account holds, as a connector would have reported it. */
export async function reportHeld(organization: TestOrganization, profile: string): Promise<void> {
  const sql = `insert into network_campaigns (organization_id, profile_id, id, name, name_folded,
      status, facts, pass, gone, last_seen_at)
    values ($1, $2, '21840012345', 'Spring Sale', 'spring sale', 'active', $3, 1, false,
      '2026-11-21T09:30:00.000Z')`
  const { database } = organization.ctx.services
  const facts = JSON.stringify({ objective: 'sales', daily_budget_minor: 3351, currency: 'USD' })
  await database.transaction(async (tx) =>
    tx.send({ sql, parameters: [organization.id, profile, facts] }),
  )
}

const reported = async (organization: TestOrganization): Promise<string> => {
  const id = await profileOf(organization)
  await reportHeld(organization, id)
  return id
}

const path = '/campaigns/:id/deployment'

export const deploymentWrites: Record<string, Write> = {
  [`PUT ${path}`]: loudly('deployment.created', {
    arrange: (organization) => campaignAfter(organization),
    body: () => ({ mode: 'create' }),
  }),
  [`DELETE ${path}`]: loudly('deployment.detached', { arrange: linkedCampaign }),
  [`POST ${path}/check`]: loudly('deployment.requested', { arrange: linkedCampaign }),
  [`POST ${path}/retry`]: loudly('deployment.requested', { arrange: blocked }),
  [`POST ${path}/overwrite`]: loudly('deployment.requested', { arrange: drifted }),
  [`POST ${path}/adopt`]: loudly('deployment.adopted', { arrange: drifted }),
  'POST /profiles/:id/take_over': loudly('deployment.created', {
    after: ['campaign.created'],
    arrange: reported,
    body: () => ({ network_object_ids: ['21840012345'] }),
  }),
  [`POST ${path}/remove`]: loudly('deployment.requested', { arrange: linkedCampaign }),
}

/** Taken by a connector's key. */
const leased = async ({ owner }: TestOrganization) => {
  const { key } = (await owner.post('/api_keys', { name: 'Connector', role: 'connector' })).json()
  const body = {
    instance: 'one',
    adapter: 'sim',
    adapter_version: '1',
    platform: 'meta',
    api_version: 'v1',
    ttl_seconds: 60,
  }
  const headers = { authorization: `Bearer ${key}` }
  return (await owner.post('/connector/leases', body, headers)).json().lease_id
}

export const deploymentReads: Record<string, Pick<Write, 'arrange'>> = {
  [`GET ${path}`]: { arrange: linkedCampaign },
  'GET /profiles/:id/connection': { arrange: profileOf },
  'GET /profiles/:id/network_campaigns': { arrange: reported },
  'DELETE /connector/leases/:id': { arrange: leased },
}
