import type { TSchema } from 'typebox'
import type { Permission } from '../identity/permissions.ts'
import type { Fault } from '../problems/fault.ts'
import { nearestName, shortName } from '../values/nearest-name.ts'

/** One event type: its description, and an example of its data. */
export type EventType = {
  readonly description: string
  readonly object: object
  /** Previous values of the changed fields; null when the object was created or deleted. */
  readonly previous: object | null
}

/** The event types of one resource, for the catalogue and for subscriptions. */
export type EventTypes = {
  /** `campaign` for `campaign.paused`. */
  readonly resource: string
  /** The right to read the resource, needed to see its events too. */
  readonly permission: Permission
  /** The schema of `data.object`. */
  readonly schema: TSchema
  /** Set where they are about what belongs to the resource, and change none of its own fields. */
  readonly makesNoVersion?: true
  readonly types: Readonly<Record<string, EventType>>
}

/** `campaign` for `campaign.paused`, of an action or an event type. */
export const resourceTypeOf = (type: string): string => type.slice(0, type.lastIndexOf('.'))

/** Everything that selects events: `*`, `campaign.*` and each type. */
export const eventPatterns = (known: readonly string[]): string[] => [
  '*',
  ...new Set(known.map((type) => `${resourceTypeOf(type)}.*`)),
  ...known,
]

/** The fault for a name that matches no known event type. The caller adds the pointer. */
export function unknownEvent(name: string, known: readonly string[]) {
  const allowed = eventPatterns(known)
  const given = shortName(name)
  const nearest = nearestName(name, allowed)
  const message = `is not a type of event${nearest ? `; did you mean "${nearest}"?` : ''}`
  return { code: 'unknown_event', message, allowed, given } satisfies Fault
}
