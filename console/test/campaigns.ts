import type { Schema } from '@flightdeckhq/sdk'
import type { Client } from '../../server/test/support/world.ts'

type Campaign = Schema<'Campaign'>

export async function profileOf(client: Client, fields: object = {}): Promise<Schema<'Profile'>> {
  return (await client.post('/profiles', { name: 'Northwind on Meta', ...fields })).json()
}

/** A draft of a campaign, under a profile of its own. */
export async function campaignOf(client: Client, fields: object = {}): Promise<Campaign> {
  const { id: profile_id } = await profileOf(client)
  const body = { name: 'Spring Sale 2026', objective: 'sales', profile_id, daily_budget: 33.51 }
  return (await client.post('/campaigns', { ...body, currency: 'USD', ...fields })).json()
}

/** Every campaign needs an approval before it runs. */
export const askForApproval = (client: Client) =>
  client.put('/organization/guardrails', { approval: { mode: 'always', amounts: {} } })
