import type { TSchema } from 'typebox'

/** One type of event: what it says, and an example of the data that it brings. */
export type EventType = {
  readonly description: string
  readonly object: object
  /** Former values of what changed; null where there was nothing, or nothing is left. */
  readonly previous: object | null
}

/** The types of events about one resource: what the catalogue and the subscriptions know. */
export type EventTypes = {
  /** `campaign` of `campaign.paused`. */
  readonly resource: string
  /** What `data.object` is in each of them. */
  readonly schema: TSchema
  readonly types: Readonly<Record<string, EventType>>
}
