import type { Tenant } from './seed.ts'

/** Requests of the bench outside the measured load. */
export type Client = {
  makeCampaign(): Promise<{ id: string }>
  subscribe(url: string): Promise<string>
  unsubscribe(id: string): Promise<void>
  /** The newest events of campaigns, with their campaigns. */
  events(count: number): Promise<{ id: string; campaignId: string }[]>
  eventBodies(count: number): Promise<string[]>
}

/** The body of a new campaign. */
export const campaignUnder = (profile_id: string) => ({
  name: 'Spring Sale',
  objective: 'sales',
  profile_id,
  daily_budget: 33.51,
  currency: 'USD',
})

type Event = { id: string; data: { object: { id: string } } }

export function clientFor(port: number, { token, profileId }: Tenant): Client {
  const origin = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  async function call<T>(path: string, body?: object): Promise<T> {
    const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const reply = await fetch(`${origin}${path}`, { ...options, headers })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }

  async function newest(count: number): Promise<Event[]> {
    const found: Event[] = []
    let path = '/api/v1/events?type=campaign.created&limit=100'
    while (found.length < count) {
      const page = await call<{ data: Event[]; meta: { next_cursor: string | null } }>(path)
      found.push(...page.data)
      if (page.meta.next_cursor === null) break
      path = `/api/v1/events?limit=100&cursor=${page.meta.next_cursor}`
    }
    return found.slice(0, count)
  }

  async function unsubscribe(id: string): Promise<void> {
    const reply = await fetch(`${origin}/api/v1/webhook_endpoints/${id}`, {
      method: 'DELETE',
      headers: { authorization: headers.authorization },
    })
    if (!reply.ok) throw new Error(`${id}: ${reply.status} ${await reply.text()}`)
  }

  return {
    makeCampaign: () => call('/api/v1/campaigns', campaignUnder(profileId)),
    subscribe: async (url) =>
      (await call<{ id: string }>('/api/v1/webhook_endpoints', { url, events: ['campaign.*'] })).id,
    unsubscribe,
    events: async (count) =>
      (await newest(count)).map(({ id, data }) => ({ id, campaignId: data.object.id })),
    eventBodies: async (count) => (await newest(count)).map((event) => JSON.stringify(event)),
  }
}
