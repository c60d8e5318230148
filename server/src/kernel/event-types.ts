import type { TSchema } from 'typebox'
import type { Permission } from '../identity/permissions.ts'
import type { Fault } from '../problems/problem.ts'
import { nearestName, shortName } from '../values/nearest-name.ts'

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
  /** The right to read the resource: who lacks it sees no events of it either. */
  readonly permission: Permission
  /** What `data.object` is in each of them. */
  readonly schema: TSchema
  readonly types: Readonly<Record<string, EventType>>
}

/** `campaign` of `campaign.paused`; of an action as of an event. */
export const resourceTypeOf = (type: string): string => type.slice(0, type.lastIndexOf('.'))

/** The fault of a name that stands for none of the known types; where it is, its finder adds. */
export function unknownEvent(name: string, known: readonly string[]) {
  const groups = known.map((type) => `${resourceTypeOf(type)}.*`)
  const allowed = ['*', ...new Set(groups), ...known]
  const given = shortName(name)
  const nearest = nearestName(name, allowed)
  const message = `is not a type of event${nearest ? `; did you mean "${nearest}"?` : ''}`
  return { code: 'unknown_event', message, allowed, given } satisfies Fault
}
