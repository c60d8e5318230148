import type { Item } from '@flightdeckhq/sdk'

type EventData = Pick<Item<'listEvents'>, 'type' | 'data'>

/** The object of an event: its type, its id, and the name that people know it by. */
export function subjectOf({ type, data }: EventData): {
  type: string
  id: string | null
  name: string | null
} {
  const { id, campaign_id, desired, name, title, url, email } = data.object
  // The guardrails have the organization's id, and a screen of their own.
  if (type === 'organization.guardrails_updated') {
    return { type: 'guardrail', id: stringOrNull(id), name: 'Guardrails' }
  }
  const kind = type.slice(0, type.indexOf('.'))
  // A deployment is shown on its campaign, under the name that its network should show.
  if (kind === 'deployment') {
    return { type: 'campaign', id: stringOrNull(campaign_id), name: nameIn(desired) }
  }
  // The pacing of a campaign has no id and no screen of its own.
  const isOfCampaign = id === undefined && typeof campaign_id === 'string'
  return {
    type: isOfCampaign ? 'campaign' : kind,
    id: stringOrNull(id) ?? stringOrNull(campaign_id),
    name: stringOrNull(name) ?? stringOrNull(title) ?? stringOrNull(url) ?? stringOrNull(email),
  }
}

const nameIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'name' in value ? stringOrNull(value.name) : null

const stringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
