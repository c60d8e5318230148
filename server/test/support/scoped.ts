import type { Scope } from '../../src/database/scope/scope.ts'
import type { Role } from '../../src/identity/permissions.ts'
import { madeKey } from './api-keys.ts'
import { dayOf, report } from './cases/results.ts'
import { campaignBody, made, profileOf } from './cases/writes.ts'
import type { Client, TestOrganization, World } from './world.ts'

/** A client with a profile, and a campaign that runs, is deployed and has results. */
export async function portfolio(world: World, organization: TestOrganization, name: string) {
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name, notes: `about ${name}` })
  const profile_id = await profileOf(organization, { name: `${name} account`, client_id })
  const campaign_id = await made(owner, '/campaigns', {
    ...campaignBody(profile_id),
    ...{ name: `${name} campaign`, labels: [name, 'all'], external_id: `${name}-1` },
  })
  await owner.post(`/campaigns/${campaign_id}/launch`)
  const deployment = { mode: 'link', network_object_id: `${name}-21` }
  await owner.put(`/campaigns/${campaign_id}/deployment`, deployment)
  const rows = [-3, -2, -1].map((day) => ({ campaign_id, date: dayOf(world, day), spend: 12.5 }))
  await report(owner, { rows })
  const operations = [{ op: 'update', id: campaign_id, body: { notes: `later ${name}` } }]
  const change_set_id = await made(owner, '/change_sets', { title: `${name} set`, operations })
  return { client_id, profile_id, campaign_id, change_set_id }
}

export type Portfolio = Awaited<ReturnType<typeof portfolio>>

/** A member of the role with this scope. */
export async function scopedMember(
  organization: TestOrganization,
  role: Role,
  scope: Scope,
): Promise<Client> {
  const member = await organization.as(role)
  const reply = await organization.owner.patch(`/members/${member.userId}`, { scope })
  if (reply.statusCode !== 200) throw new Error(`no scope: ${reply.body}`)
  return member
}

export const scopedKey = async (
  world: World,
  organization: TestOrganization,
  fields: { role: string; scope: Scope },
): Promise<Client> => (await madeKey(world, organization.owner, fields)).client
