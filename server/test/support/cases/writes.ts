import type { Client, TestOrganization } from '../world.ts'

export async function made(client: Client, path: string, body: object): Promise<string> {
  const reply = await client.post(path, body)
  if (reply.statusCode !== 201)
    throw new Error(`${path} answered ${reply.statusCode} ${reply.body}`)
  return reply.json().id
}

export const profileOf = ({ owner }: TestOrganization, body: object = {}) =>
  made(owner, '/profiles', { name: 'Account', currency: 'USD', ...body })

export const campaignBody = (profile_id: string) => ({
  name: 'Spring Sale',
  objective: 'sales',
  profile_id,
  daily_budget: 33.51,
  currency: 'USD',
})

/** A campaign of a new profile, after some actions. */
export async function campaignAfter(
  organization: TestOrganization,
  actions: readonly string[] = [],
  body: object = {},
): Promise<string> {
  const { owner } = organization
  const profile = await profileOf(organization)
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...body })
  for (const action of actions) {
    const reply = await owner.post(`/campaigns/${id}/${action}`)
    if (reply.statusCode !== 200) throw new Error(`${action} answered ${reply.body}`)
  }
  return id
}
