import type { Item } from '@flightdeckhq/sdk'

type EventData = Pick<Item<'listEvents'>, 'type' | 'data'>

/** The object of an event: its type, its id, and the name that people know it by. */
export function subjectOf({ type, data }: EventData): {
  type: string
  id: string | null
  name: string | null
} {
  const { id, campaign_id, name, title, url, email } = data.object
  const kind = type.slice(0, type.indexOf('.'))
  // The pacing of a campaign has no id and no screen of its own.
  const isOfCampaign = id === undefined && typeof campaign_id === 'string'
  return {
    type: isOfCampaign ? 'campaign' : kind,
    id: textOf(id) ?? textOf(campaign_id),
    name: textOf(name) ?? textOf(title) ?? textOf(url) ?? textOf(email),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
